import { lookup, Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'
import { UpstreamError } from './upstream-error.ts'

/** Starts a connection and returns its socket, so that the caller can cancel it before it is open. */
export type Connect = (options: buildConnector.Options, callback: buildConnector.Callback) => Socket | undefined
export type Guard = { isAllowed: (address: string) => boolean; lookup: Lookup }

/**
 * Makes connections for an undici Agent. It checks the addresses in the connection's own name lookup and connects to those
 * same addresses, so a name cannot resolve to another address after the check.
 */
export function guardedConnector(guard: Guard): Connect {
  // buildConnector returns the socket, but its type does not say so.
  const connect = buildConnector({ allowH2: false, timeout: 0, lookup: guardedLookup(guard) }) as Connect
  return (options, callback) => {
    const literal = options.hostname.replace(/^\[|\]$/g, '')
    // A literal address needs no lookup, so the guarded lookup would not check it.
    if (isIP(literal) !== 0 && !guard.isAllowed(literal)) {
      callback(notPublic(options.hostname), null)
      return undefined
    }
    return connect(options, (...[error, socket]) => {
      socket?.on('error', (failure) => readBefore.set(failure, socket.bytesRead))
      if (error) callback(error, null)
      else callback(null, socket)
    })
  }
}

/** undici passes the error of a broken connection on without its socket. */
const readBefore = new WeakMap<object, number>()

/** How many bytes a connection had read before this error; undefined for any other error. */
export function bytesReadBefore(error: unknown): number | undefined {
  return typeof error === 'object' && error !== null ? readBefore.get(error) : undefined
}

function guardedLookup(guard: Guard): LookupFunction {
  return (hostname, options, callback) => {
    resolveAllowed(hostname, guard).then(
      (addresses) => {
        const [first] = addresses
        if (options.all) callback(null, addresses)
        else if (first) callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }
}

/** One address that is not allowed refuses the whole name: a retry could pick that address. */
async function resolveAllowed(hostname: string, guard: Guard): Promise<{ address: string; family: number }[]> {
  const addresses = (await guard.lookup(hostname)).map((address) => ({ address, family: isIP(address) }))
  const usable = addresses.filter(({ family }) => family !== 0)
  if (usable.length === 0) throw new UpstreamError('failed', `The name ${hostname} has no address.`)
  if (!usable.every(({ address }) => guard.isAllowed(address))) throw notPublic(hostname)
  return usable
}

function notPublic(hostname: string): UpstreamError {
  return new UpstreamError(
    'refused',
    `${hostname} is not a public address. Calls go to public addresses only, unless the operator sets ALLOW_PRIVATE_NETWORKS=on.`,
  )
}

/** Resolves a name to addresses. The guard checks each of them. */
export type Lookup = (hostname: string) => Promise<string[]>

/**
 * Queries the name servers directly. The system's getaddrinfo would block one of four threads, which file access and
 * password hashing share, while a tenant's slow name server does not answer.
 */
export function resolvePublicName(): Lookup {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length === 0 && four.status === 'rejected') throw four.reason
    return addresses
  }
}

/** Also uses the hosts file and search domains, which private networks need. */
export async function resolveAnyName(hostname: string): Promise<string[]> {
  const addresses = await lookup(hostname, { all: true, order: 'ipv4first' })
  return addresses.map(({ address }) => address)
}

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
