import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Where all IPv6 addresses that are given out lie; compatible, site-local and future forms fall outside. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]
/** On an IPv6-only machine every IPv4 host is reached through this prefix, so what it embeds is what counts. */
const nat64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96]

/**
 * Whether an address, as a resolver or a parsed URL writes it, belongs to the public internet. What is neither surely
 * public nor known is not: private, loopback, link-local, shared, multicast, documentation, tunnelled and reserved ones.
 */
export function isPublicAddress(text: string): boolean {
  const bare = inHex(text.replace(/^\[|\]$/g, ''))
  return bare !== undefined && ipaddr.isValid(bare) && isPublic(ipaddr.parse(bare))
}

/** ipaddr.js takes ::8.8.8.8 for a mapped address; written in hex it is told from one. Zone ids do not parse. */
function inHex(text: string): string | undefined {
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
