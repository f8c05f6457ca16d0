import { isIP, type LookupFunction, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import type { Lookup } from './resolve.ts'
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
