import { isIP, type LookupFunction, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import type { Lookup } from './resolve.ts'
import { UpstreamError } from './upstream-error.ts'

/** Begins a connection, and answers its socket so that it can be given up before it stands. */
export type Connect = (options: buildConnector.Options, callback: buildConnector.Callback) => Socket | undefined
export type Guard = { isAllowed: (address: string) => boolean; lookup: Lookup }

/**
 * Makes connections for an undici Agent. The check happens where the connection is made and hands over the very
 * addresses that it saw, so a name cannot answer differently in between.
 */
export function guardedConnector(guard: Guard): Connect {
  // It answers the socket that it connects, which its type does not say.
  const connect = buildConnector({ allowH2: false, timeout: 0, lookup: guardedLookup(guard) }) as Connect
  return (options, callback) => {
    const literal = options.hostname.replace(/^\[|\]$/g, '')
    // An address needs no lookup, so the lookup would never see it.
    if (isIP(literal) !== 0 && !guard.isAllowed(literal)) {
      callback(notPublic(options.hostname), null)
      return undefined
    }
    return connect(options, callback)
  }
}

function guardedLookup(guard: Guard): LookupFunction {
  return (hostname, options, callback) => {
    checkedAddresses(hostname, guard).then(
      (addresses) => {
        const [first] = addresses
        if (options.all) callback(null, addresses)
        else if (first) callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }
}

/** One address that is not public spoils the whole answer: it would be the one that a retry picks. */
async function checkedAddresses(hostname: string, guard: Guard): Promise<{ address: string; family: number }[]> {
  const found = (await guard.lookup(hostname)).map((address) => ({ address, family: isIP(address) }))
  const usable = found.filter(({ family }) => family !== 0)
  if (usable.length === 0) throw new UpstreamError('failed', `The name ${hostname} has no address.`)
  if (!usable.every(({ address }) => guard.isAllowed(address))) throw notPublic(hostname)
  return usable
}

function notPublic(hostname: string): UpstreamError {
  return new UpstreamError(
    'refused',
    `${hostname} is not a public address. Calls go to public addresses only, unless the operator allows private networks.`,
  )
}
