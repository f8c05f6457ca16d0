import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** All assigned IPv6 addresses are in this range. IPv4-compatible, site-local and future forms are not. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]
/** An IPv6-only machine reaches IPv4 hosts through this prefix, so the embedded IPv4 address decides. */
const nat64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96]

/**
 * True if an address, as a resolver or a parsed URL writes it, belongs to the public internet. Private, loopback,
 * link-local, shared, multicast, documentation, tunnelled, reserved and unknown addresses do not.
 */
export function isPublicAddress(text: string): boolean {
  const bare = toHexForm(text.replace(/^\[|\]$/g, ''))
  return bare !== undefined && ipaddr.isValid(bare) && isPublic(ipaddr.parse(bare))
}

/** Writes an IPv6 address in hex, because ipaddr.js mistakes ::8.8.8.8 for a mapped address. Zone ids are invalid. */
function toHexForm(text: string): string | undefined {
  if (!text.includes(':')) return text
  const url = `http://[${text}]/`
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : undefined
}

function isPublic(address: Address): boolean {
  if (!(address instanceof ipaddr.IPv6)) return address.range() === 'unicast'
  if (address.isIPv4MappedAddress()) return isPublic(address.toIPv4Address())
  if (address.match(nat64)) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(12)))
  return address.match(globalUnicast) && address.range() === 'unicast'
}
