import type { SourceKind, TriggerSpec } from '@tocsin/contract'
import { type Connections, connectOptions, makeConnections, type SourceAddress } from './connections.ts'
import type { OpenDoor } from './outbound/index.ts'
import { type Scripts, startScripts } from './script/index.ts'
import type { Chain, Door, Matcher, Verified } from './world.ts'

/**
 * What runs trigger definitions: tenants' scripts, the guarded door, the ways to the chains. Nothing is started, and
 * none of the libraries is loaded, before it is used: a service that only manages stays small.
 */
export type Engine = {
  scripts: Scripts
  door: Door
  connections: Connections
  prepare(spec: TriggerSpec, kind: SourceKind): Promise<Matcher>
  verify(address: SourceAddress): Promise<Verified>
  close(): Promise<void>
}

const chains: Record<SourceKind, () => Promise<Chain>> = {
  evm: async () => (await import('./sources/evm/index.ts')).evm,
  substrate: async () => (await import('./sources/substrate/index.ts')).substrate,
  solana: async () => (await import('./sources/solana/index.ts')).solana,
}

export function startEngine(options: { allowPrivateNetworks: boolean }): Engine {
  const door = makeLazyDoor(options)
  const scripts = startScripts()
  const connections = makeConnections((kind) => chains[kind](), door)
  return {
    scripts,
    door,
    connections,
    prepare: async (spec, kind) => (await chains[kind]()).prepare(spec),
    async verify({ kind, endpoints, extensions }) {
      return (await chains[kind]()).verify(endpoints, connectOptions(door, extensions))
    },
    async close() {
      await connections.close()
      await scripts.close()
      await door.close()
    },
  }
}

function makeLazyDoor(options: { allowPrivateNetworks: boolean }): OpenDoor {
  let opened: Promise<OpenDoor> | undefined
  const open = () => {
    opened ??= import('./outbound/index.ts').then(({ openDoor }) => openDoor(options))
    return opened
  }
  return {
    fetch: async (url, request) => (await open()).fetch(url, request),
    webSocket: async (url, limits) => (await open()).webSocket(url, limits),
    close: async () => (await opened)?.close(),
  }
}
