import { nameFrom } from '../names.ts'
import type { Notes } from '../notes.ts'
import { type Network, withEnv } from './manifest.ts'

/** A network by the name that contracts use: its source, and the chain id that messages show. */
export type Networks = ReadonlyMap<string, { source: string; chainId: number }>

const known = new Set(['name', 'chain_id', 'rpc'])

export function importNetworks(networks: readonly Network[], workspace: string, notes: Notes): Networks {
  const made = new Map<string, { source: string; chainId: number }>()
  for (const network of networks) {
    const name = nameFrom(network.name)
    const fullname = `${workspace}.${name}`
    const about = { name, fullname, workspace, kind: 'evm', meta: { title: network.name } }
    notes.add('source', { ...about, endpoints: [withEnv(network.rpc)] })
    const unused = Object.keys(network).filter((field) => !known.has(field))
    notes.done(
      `network ${network.name}`,
      unused.length > 0 ? [`every block is followed as it comes, without ${unused.join(', ')}`] : [],
    )
    made.set(network.name, { source: fullname, chainId: network.chain_id })
  }
  return made
}
