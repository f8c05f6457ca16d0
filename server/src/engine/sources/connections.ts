import type { SourceKind } from '@tocsin/contract'
import type { Door } from '../outbound/door.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { Chain } from './chain.ts'
import { whyNotServed } from './chains.ts'
import type { Connection, ConnectOptions } from './connection.ts'

/** The endpoints of a source and how to use them. */
export type SourceAddress = {
  kind: SourceKind
  endpoints: readonly string[]
  extensions?: Record<string, unknown> | undefined
  /** Methods beyond the reading ones that the caller may use. The source allows them for its own workspace. */
  allowMethods?: readonly string[]
  /** How much of a block is checked; see ConnectOptions. */
  verify?: ConnectOptions['verify']
}
export type Connections = {
  /** A connection that callers with the same address share. It stays open for a while after its last release. */
  lease(address: SourceAddress): Promise<Lease>
  close(): Promise<void>
}
export type Lease = { connection: Connection; release(): void }

/** The guarded door for calls to nodes, and the time limit of one call. */
export type ConnectDeps = { door: Door; timeoutMs: number }

type SharedConnection = { connection: Connection; users: number; timer?: NodeJS.Timeout }

const keepMs = 30_000

export function makeConnections(chainOf: (kind: SourceKind) => Promise<Chain>, deps: ConnectDeps): Connections {
  const openConnections = new Map<string, SharedConnection>()
  return {
    async lease(address) {
      const key = JSON.stringify([address.kind, address.endpoints, address.extensions ?? null, address.verify ?? null])
      const chain = await chainOf(address.kind)
      const shared = openConnections.get(key) ?? { connection: open(chain, deps, address), users: 0 }
      openConnections.set(key, shared)
      shared.users++
      clearTimeout(shared.timer)
      const release = () => {
        shared.users--
        if (shared.users === 0) shared.timer = setTimeout(() => void drop(openConnections, key, shared), keepMs).unref()
      }
      return { connection: restrictMethods(shared.connection, address), release }
    },
    async close() {
      for (const [key, shared] of openConnections) {
        clearTimeout(shared.timer)
        await drop(openConnections, key, shared)
      }
    },
  }
}

/** Tenants share a connection. This checks what each of them may call through it, in tests and live runs. */
function restrictMethods(connection: Connection, { kind, allowMethods = [] }: SourceAddress): Connection {
  return {
    ...connection,
    async request(method, params) {
      const refusal = whyNotServed(method, allowMethods, kind)
      if (refusal !== undefined) throw new UpstreamError('refused', refusal)
      return connection.request(method, params)
    },
  }
}

export function connectOptions(
  { door, timeoutMs }: ConnectDeps,
  { extensions, verify }: SourceAddress,
): ConnectOptions {
  const responseBytesMax = 32 * 1024 * 1024
  return { door, timeoutMs, responseBytesMax, ...(extensions && { extensions }), ...(verify && { verify }) }
}

function open(chain: Chain, deps: ConnectDeps, address: SourceAddress): Connection {
  return chain.connect(address.endpoints, connectOptions(deps, address))
}

async function drop(
  openConnections: Map<string, SharedConnection>,
  key: string,
  shared: SharedConnection,
): Promise<void> {
  openConnections.delete(key)
  await shared.connection.close()
}
