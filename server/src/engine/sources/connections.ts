import type { SourceKind } from '@tocsin/contract'
import type { Door } from '../outbound/door.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { Chain } from './chain.ts'
import { whyNotServed } from './chains.ts'
import type { Connection, ConnectOptions } from './connection.ts'

/** Where a source is reached. */
export type SourceAddress = {
  kind: SourceKind
  endpoints: readonly string[]
  extensions?: Record<string, unknown> | undefined
  /** Methods beyond the reading ones that whoever takes the lease may call: the source names them, for its own workspace. */
  allowMethods?: readonly string[]
  /** How much of a block is checked: see ConnectOptions. */
  verify?: ConnectOptions['verify']
}
export type Connections = {
  /** A way to the source, shared with others who ask for the same and kept for a while after its last release. */
  lease(address: SourceAddress): Promise<Lease>
  close(): Promise<void>
}
export type Lease = { connection: Connection; release(): void }

/** Through which door nodes are called, and how long one call may take. */
export type Way = { door: Door; timeoutMs: number }

type Kept = { connection: Connection; users: number; timer?: NodeJS.Timeout }

const keepMs = 30_000

export function makeConnections(chainOf: (kind: SourceKind) => Promise<Chain>, way: Way): Connections {
  const kept = new Map<string, Kept>()
  return {
    async lease(address) {
      const key = JSON.stringify([address.kind, address.endpoints, address.extensions ?? null, address.verify ?? null])
      const chain = await chainOf(address.kind)
      const shared = kept.get(key) ?? { connection: open(chain, way, address), users: 0 }
      kept.set(key, shared)
      shared.users++
      clearTimeout(shared.timer)
      const release = () => {
        shared.users--
        if (shared.users === 0) shared.timer = setTimeout(() => void drop(kept, key, shared), keepMs).unref()
      }
      return { connection: guarded(shared.connection, address), release }
    },
    async close() {
      for (const [key, shared] of kept) {
        clearTimeout(shared.timer)
        await drop(kept, key, shared)
      }
    },
  }
}

/** The connection is shared by many tenants; what each may call through it is checked here, for tests and live runs. */
function guarded(connection: Connection, { kind, allowMethods = [] }: SourceAddress): Connection {
  return {
    ...connection,
    async request(method, params) {
      const refusal = whyNotServed(method, allowMethods, kind)
      if (refusal !== undefined) throw new UpstreamError('refused', refusal)
      return connection.request(method, params)
    },
  }
}

export function connectOptions({ door, timeoutMs }: Way, { extensions, verify }: SourceAddress): ConnectOptions {
  const responseBytesMax = 32 * 1024 * 1024
  return { door, timeoutMs, responseBytesMax, ...(extensions && { extensions }), ...(verify && { verify }) }
}

function open(chain: Chain, way: Way, address: SourceAddress): Connection {
  return chain.connect(address.endpoints, connectOptions(way, address))
}

async function drop(kept: Map<string, Kept>, key: string, shared: Kept): Promise<void> {
  kept.delete(key)
  await shared.connection.close()
}
