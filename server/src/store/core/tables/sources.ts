import type { Explorer, HealthItem, NativeCurrency, SourceKind } from '@tocsin/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Entity, Json, JsonOrNull, Sealed } from './columns.ts'

export type SourceState = 'pending' | 'running' | 'lagging' | 'error' | 'stopped'
export type SourceStatus = {
  status: SourceState
  previousStatus?: SourceState
  message?: string
  code?: string
  updatedAt: string
}
export type SourceRuntime = {
  chainId?: string
  genesisHash?: string
  ss58Prefix?: number
  latestBlock?: number
  processedBlock?: number
  lag?: number
  headAt?: string
}
export type SourceSettings = {
  batchMaxCount?: number
  blockProcessingConcurrency?: number
  maxQueuedBlocks?: number
  confirmations?: number
  allowMethods?: string[]
  verify?: 'bloom' | 'receipts'
  explorer?: Explorer
  nativeCurrency?: NativeCurrency
}
export type CustomSourcesTable = Entity & {
  id: string
  workspace_id: string
  name: string
  fullname: string
  public: boolean
  kind: SourceKind
  endpoints: Sealed
  settings: Json<SourceSettings>
  substrate: ColumnType<{ extensions?: Record<string, unknown> } | null, string | null, string | null>
  meta: Json<{ title: string; description?: string; icons?: { default?: string } }>
  status: Json<SourceStatus>
  runtime: ColumnType<SourceRuntime | null, string | null, string | null>
  revision: number
  stack: string | null
}
export type SourceLogsTable = {
  id: Generated<string>
  source_id: string
  at: Date
  level: 'info' | 'warn' | 'error'
  message: string
  details: ColumnType<Record<string, unknown> | null, string | null, string | null>
}

/** bigint columns arrive as strings; the store's functions return them as numbers. */
export type FollowersTable = {
  source: string
  owner: string | null
  lease_until: Date | null
  epoch: Generated<string>
  revision: Generated<number>
  number: string | null
  hash: string | null
  head: string | null
  head_at: Date | null
  finalized: string | null
  /** The time of the last applied block. Null if it is not known, or if the block was not applied but begun at. */
  number_at: Date | null
  /** Every block that the node had at this time by the clock was applied. */
  read_at: Date | null
  state: JsonOrNull<FollowerState>
  updated_at: Date
}
/** What a follower reports. A custom source's status and runtime are in its own row. */
export type FollowerState = {
  /** The identity of the network: the chain id or the hash of the first block. */
  network?: string
  status?: SourceStatus
  runtime?: SourceRuntime
  /** The first head that the follower saw, before it processed a block. */
  firstHead?: number
  /** Absent if the nodes were never asked for it. */
  unreadable?: readonly LostPart[]
}
/** A part of a source's blocks that cannot be read, the sentence for triggers that need it, and which triggers these are. */
export type LostPart = {
  part: string
  issue: string
  specTypes: readonly string[]
  specFlag?: readonly [field: string, value: string] | undefined
  /** The triggers go on without the part and match less. */
  isLimit?: boolean | undefined
  /** The first block without the part. Absent if the nodes refuse it for every block. */
  since?: number | undefined
}
export type SourceBlocksTable = {
  source: string
  hash: string
  number: string
  parent_hash: string
  incarnation: Generated<number>
  undone_at: Date | null
}
/** bigint columns arrive as strings. */
export type SourceMinutesTable = {
  source: string
  minute: Date
  status: SourceState
  head: string | null
  processed: string | null
  lag: string | null
  head_age_ms: string | null
  endpoints: Json<unknown[]>
}
/** A process that follows sources. */
export type EngineProcessesTable = { id: string; joined_at: Date; lease_until: Date; lacks: number }
export type TimersTable = { trigger_id: string; ticked_at: Date }
/** An answer that is kept until it expires. `value` depends on the kind. */
export type LookUpsTable = { kind: string; key: string; value: Json<unknown>; expires_at: Date }
/** A change of a source or destination that has not been published yet. */
export type HealthEventsTable = { id: Generated<string>; item: Json<HealthItem>; at: Generated<Date> }
