import { Names, nameFrom } from '../names.ts'
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
): Map<string, string> {
  const made = new Map<string, string>()
  const names = new Names()
  for (const network of networks) {
    const title = String(network.name)
    const name = names.take(title)
    const fullname = `${workspace}.${name}`
    const url = network['rpc-url'] ?? network.rpcUrl
    const payload = {
      name,
      fullname,
      workspace,
      kind: 'evm',
      endpoints: [url],
      meta: { title },
    }
    notes.add('source', payload)
    notes.done(`network ${title}`, network['api-key'] ? ['write the API key into the endpoint'] : [])
    made.set(title, fullname)
  }
  return made
}

/** The source of a network. One that neither the service nor the files have must be made by hand. */
export function sourceOf(
  network: string,
  made: ReadonlyMap<string, string>,
  workspace: string,
  differences: string[],
): string {
  const known = made.get(network) ?? builtIn[network]
  if (known !== undefined) return known
  const fullname = `${workspace}.${nameFrom(network)}`
  differences.push(`add a source ${fullname} for the network ${network}`)
  return fullname
}
