import { lookup, Resolver } from 'node:dns/promises'

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
