import { nameFrom } from '../names.ts'
import type { Notes } from '../notes.ts'

/** The public networks of Defender that have a built-in source. */
const builtIn: Record<string, string> = {
  mainnet: 'common.ethereum',
  sepolia: 'common.sepolia',
  matic: 'common.polygon',
  arbitrum: 'common.arbitrum',
  optimism: 'common.optimism',
  avalanche: 'common.avalanche',
  base: 'common.base',
  bsc: 'common.bsc',
  linea: 'common.linea',
  moonbeam: 'common.moonbeam',
  scroll: 'common.scroll',
  xdai: 'common.gnosis',
}

/** Private and forked networks become sources. */
export function importNetworks(
  networks: readonly Record<string, unknown>[],
  workspace: string,
  notes: Notes,
): Set<string> {
  const made = new Set<string>()
  for (const network of networks) {
    const title = String(network.name)
    const name = nameFrom(title)
    const url = network['rpc-url'] ?? network.rpcUrl
    const payload = {
      name,
      fullname: `${workspace}.${name}`,
      workspace,
      kind: 'evm',
      endpoints: [url],
      meta: { title },
    }
    notes.add('source', payload)
    notes.done(`network ${title}`, network['api-key'] ? ['write the API key into the endpoint'] : [])
    made.add(title)
  }
  return made
}

/** The source of a network. One that neither the service nor the files have must be made by hand. */
export function sourceOf(network: string, made: ReadonlySet<string>, workspace: string, differences: string[]): string {
  const common = made.has(network) ? undefined : builtIn[network]
  if (common !== undefined) return common
  const fullname = `${workspace}.${nameFrom(network)}`
  if (!made.has(network)) differences.push(`add a source ${fullname} for the network ${network}`)
  return fullname
}
