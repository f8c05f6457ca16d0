import { Names } from '../names.ts'
import type { Notes } from '../notes.ts'
import { type Network, secretText } from './files.ts'

const kinds: Record<string, string> = { evm: 'evm', solana: 'solana' }
/** How Tocsin follows a chain needs none of these. */
const unused = ['cron_schedule', 'max_past_blocks', 'store_blocks', 'recovery_config', 'block_time_ms']

export type Sources = Map<string, { fullname: string; kind: string }>

/** A network becomes a custom source. The result has each slug's source; networks of other chains are left out. */
export function importNetworks(networks: readonly Network[], workspace: string, notes: Notes): Sources {
  const sources: Sources = new Map()
  const names = new Names()
  for (const network of networks) {
    const { network_type, slug, name, rpc_urls, confirmation_blocks: confirmations } = network
    const definition = `network ${slug}`
    const kind = kinds[network_type.toLowerCase()]
    if (!kind) {
      notes.impossible(definition, `Tocsin does not follow ${network_type}`)
      continue
    }
    const differences = unused.some((field) => field in network)
      ? [`every block is followed as it comes, without ${unused.filter((field) => field in network).join(', ')}`]
      : []
    const heaviestFirst = rpc_urls.toSorted((a, b) => (b.weight ?? 0) - (a.weight ?? 0))
    if (new Set(rpc_urls.map(({ weight }) => weight)).size > 1)
      differences.push('endpoints are asked in the order of their weights')
    const endpoints = heaviestFirst.map(({ url }) => secretText(url, differences))
    const short = names.take(slug)
    const fullname = `${workspace}.${short}`
    sources.set(slug, { fullname, kind })
    notes.add('source', {
      name: short,
      fullname,
      workspace,
      kind,
      endpoints,
      confirmations,
      meta: { title: name ?? slug },
    })
    notes.done(definition, differences)
  }
  return sources
}
