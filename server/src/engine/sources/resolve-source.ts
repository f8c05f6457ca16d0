import type { SourceKind } from '@tocsin/contract'
import type { NetworkIdentity } from './chain-rules.ts'
import type { SourceAddress } from './connections.ts'
import { networkFacts } from './network-facts.ts'
import type { Network } from './networks.ts'

/** A custom source from the store, with opened endpoints. */
export type CustomSource = {
  fullname: string
  kind: SourceKind
  endpoints: readonly string[]
  substrate: { extensions?: Record<string, unknown> } | null
  settings: Pick<SourceAddress, 'verify' | 'explorer' | 'nativeCurrency'> & { allowMethods?: readonly string[] }
  /** What nodes reported of the network; null before the first report. */
  runtime: NetworkIdentity | null
}

/**
 * Finds the address of a source by name: a built-in network, or a custom source that the caller may read. Otherwise the
 * message says why there is none. Live runs and tests share it; they differ in what `findCustom` may return.
 */
export async function resolveSource(
  fullname: string,
  networks: readonly Network[],
  findCustom: (fullname: string) => Promise<SourceAddress | undefined>,
): Promise<SourceAddress | { refused: string }> {
  const network = networks.find((network) => network.fullname === fullname)
  if (network && network.endpoints.length === 0)
    return { refused: `"${fullname}" has no endpoint here yet: the operator gives it one, or use a custom source` }
  return (
    network ?? (await findCustom(fullname)) ?? { refused: `there is no data source "${fullname}" that you may read` }
  )
}

/** `allowMethods` lists methods beyond the reading ones that the caller may use; a follower needs none. */
export function addressOf(
  { fullname, kind, endpoints, substrate, settings, runtime }: CustomSource,
  allowMethods: readonly string[] = [],
): SourceAddress {
  const facts = networkFacts(kind, runtime ?? {}, settings)
  const address = { ...facts, fullname, endpoints, extensions: substrate?.extensions, verify: settings.verify }
  return allowMethods.length > 0 ? { ...address, allowMethods } : address
}
