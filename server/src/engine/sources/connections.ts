import type { Explorer, NativeCurrency, SourceKind } from '@tocsin/contract'
import type { RecordCall } from '../../metrics/index.ts'
import { hashOf } from '../base/json.ts'
import type { Door } from '../outbound/door.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { Chain } from './chain.ts'
import { whyNotServed } from './chains.ts'
import type { Connection, ConnectOptions } from './connection.ts'
import { makeKeptReads } from './kept-reads.ts'
import { withSharedReads } from './shared-reads.ts'

/** The endpoints of a source and how to use them. */
export type SourceAddress = {
  /** The name under which calls to the nodes are counted. Sources with equal endpoints share a connection and a count. */
  fullname?: string
  kind: SourceKind
  endpoints: readonly string[]
  extensions?: Record<string, unknown> | undefined
  /** Methods beyond the reading ones that the caller may use. The source allows them for its own workspace. */
  allowMethods?: readonly string[]
  /** How much of a block is checked; see ConnectOptions. */
  verify?: ConnectOptions['verify']
  /** What messages show of the source's network. */
  explorer?: Explorer
  nativeCurrency?: NativeCurrency
}
export type Connections = {
  /** A connection that callers with the same address share. It stays open for a while after its last release. */
  lease(address: SourceAddress): Promise<Lease>
  close(): Promise<void>
}
export type Lease = { connection: Connection; release(): void }

/** The guarded door for calls to nodes, the time limit of one call, and what counts the calls to a source. */
export type ConnectDeps = { door: Door; timeoutMs: number; rpcOf?: (source: string) => RecordCall }

type SharedConnection = { connection: Connection; users: number; timer?: NodeJS.Timeout }

const keepMs = 30_000
/** The name of a source that is verified before it is saved. */
const unsaved = 'unsaved'

export function makeConnections(chainOf: (kind: SourceKind) => Promise<Chain>, deps: ConnectDeps): Connections {
  const openConnections = new Map<string, SharedConnection>()
  const kept = makeKeptReads()
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
      const connection = withSharedReads(restrictMethods(shared.connection, address), {
        chain,
        network: hashOf(key),
        kept,
      })
      return { connection, release }
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
  { door, timeoutMs, rpcOf }: ConnectDeps,
  { fullname = unsaved, extensions, verify }: SourceAddress,
): ConnectOptions {
  const responseBytesMax = 32 * 1024 * 1024
  return {
    door,
    timeoutMs,
    responseBytesMax,
    ...(extensions && { extensions }),
    ...(verify && { verify }),
    ...(rpcOf && { recordCall: rpcOf(fullname) }),
  }
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
