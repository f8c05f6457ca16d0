import { lookup, Resolver } from 'node:dns/promises'

/** A name's addresses; the door checks every one of them. */
export type Lookup = (hostname: string) => Promise<string[]>

/**
 * Asks the name servers directly. The system's getaddrinfo would hold one of four threads, which files and passwords
 * share, for as long as a tenant's name server likes to be silent.
 */
export function resolvePublicName(): Lookup {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length === 0 && four.status === 'rejected') throw four.reason
    return found
  }
}

/** Knows the hosts file and search domains too, as an operator's own network needs them. */
export async function resolveAnyName(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true, order: 'ipv4first' })
  return found.map(({ address }) => address)
}
