import type {
  AlertPolicy,
  AlertState,
  AlertStatus,
  DeliveryAttempt as DeliveryAttemptView,
  DeliveryStatus,
  Message,
  Severity,
} from '@tocsin/contract'
import type { ColumnType, Generated } from 'kysely'
import type * as z from 'zod'
import type { Json, JsonOrNull, Stamps } from './columns.ts'

export type AlertsTable = Stamps & {
  id: string
  seq: Generated<string>
  /** `health`: deliveries to a resource began to fail, or work again. */
  kind: Generated<'match' | 'digest' | 'health'>
  subscription_id: string | null
  rule_id: string | null
  account_id: string
  workspace_id: string
  project_id: string | null
  trigger_id: string | null
  project: string
  trigger: string
  /** People read `late` as `pending`; `alert-status.ts` explains it. */
  status: AlertStatus
  severity: Generated<Severity>
  /** Of the policies that fire and resolve; null for all other alerts. */
  state: AlertState | null
  /** The id of the firing alert that this one resolves. */
  resolves: string | null
  duration_ms: string | null
  reason: string | null
  source: string | null
  block_number: string | null
  block_hash: string | null
  incarnation: number | null
  policy_key: string | null
  delivery_key: string | null
  digest_id: string | null
  /** The item is from the history of its subscription. */
  backfilled: Generated<boolean>
  /** What the alert waited for before it was sent: `safe`, `finalized` or a number of confirmations; null if for nothing. */
  finality: string | null
  /** A waiting alert of a digest policy: it is collected when its block is final enough. */
  is_collected: Generated<boolean>
  item_at: Date
  message: Json<Message>
  trace: Json<AlertTraceData>
  /** The block that the alert shows, if it is not the one that caused it. */
  shown_block: JsonOrNull<{ number: number; hash: string }>
}
/** How an alert came about, stored for its explanation. */
export type AlertTraceData = {
  item: unknown
  inputs: Record<string, unknown>
  providers: Record<string, unknown>
  activated: boolean
  /** Omitted when it equals the item. */
  raw?: unknown
  /** Omitted when it equals `raw`. */
  human?: unknown
  digest?: string[]
  /** What the policy decided by. */
  policy?: AlertPolicy
  /** Which rule of a severity by conditions decided, counted from 0. */
  severityRule?: number
  /** Why parts of the message are missing. */
  issues?: string[]
}
export type DeliveryAttempt = z.output<typeof DeliveryAttemptView>
export type DeliveriesTable = Stamps & {
  id: string
  seq: Generated<string>
  alert_id: string
  kind: Generated<'alert' | 'retraction'>
  resource_id: string | null
  resource: string
  blueprint: string
  status: DeliveryStatus
  attempts: ColumnType<DeliveryAttempt[], string | undefined, string>
  attempts_count: Generated<number>
  due_at: Date
  /** The channel's reply, such as the id of the message, which a later correction needs. */
  sent: JsonOrNull<Record<string, unknown>>
  /** The delivery was sent and its result is unknown, so a retraction has to correct it. */
  may_have_arrived: Generated<boolean>
  /** The firing alert was sent so many times before. */
  repeat: Generated<number>
  /** The delivery whose message tells of this one too. */
  folded_into: Generated<string | null>
}
export type LanesTable = {
  resource_id: string
  owner: string | null
  lease_until: Date | null
  failing_since: Date | null
  not_before: Date | null
  last_error: string | null
  last_error_at: Date | null
  last_success_at: Date | null
  last_attempt: JsonOrNull<DeliveryAttempt>
  /** The alert that reported that deliveries fail; null if they work, or if nobody is told. */
  failure_alert_id: string | null
  /** The workspace's health was told that deliveries fail, and not yet that they work again. */
  is_told_failing: Generated<boolean>
}
/** Changes that are not yet in `hourly_counts`. */
export type CountChangesTable = {
  id: Generated<string>
  hour: Date
  changes: Json<unknown[]>
  runs: JsonOrNull<unknown[]>
}
/** bigint columns arrive as strings. */
export type HourlyCountsTable = {
  owner_kind: string
  owner_id: string
  hour: Date
  recorded: string
  delivered: string
  failed: string
  failed_attempts: string
}
/** A run of a trigger as its page shows it. */
export type LastRun = {
  at: string
  /** The key of the item, such as the block and the index of a log. */
  item: string
  outcome: 'fired' | 'silent' | 'failed'
  durationMs: number
  providerCalls: number
  error?: string
}
export type HourlyRunsTable = {
  trigger_id: string
  hour: Date
  runs: string
  fired: string
  failed: string
  duration_ms: number
  slowest_ms: number
  provider_calls: string
  /** The last runs of the hour, newest first. */
  last: Json<LastRun[]>
}
/** The deliveries that a turn of a lane has taken and whose results it has not recorded. */
export type TakenDeliveriesTable = { owner: string; resource_id: string; ids: Json<string[]> }
export type StateWindowsTable = {
  trigger_id: string
  provider: string
  scope: string
  state: Json<{ shape: string; entries: Record<string, unknown>[] }>
  source: string | null
  block_number: string | null
  updated_at: Date
}
export type PolicyStatesTable = {
  subscription_id: string
  rule_id: string
  key: string
  state: Json<Record<string, unknown>>
  due_at: Date | null
  updated_at: Date
  /** Each change of a state counts it up, so that two processes cannot both change the same state. */
  version: Generated<number>
}
/** A value that a policy compared, in the time of its item. */
export type PolicyValuesTable = {
  subscription_id: string
  rule_id: string
  key: string
  /** The time that the value stands for. A key has one value in each slot. */
  slot: Date
  at: Date
  value: string
  bound: string | null
  until: string | null
  source: string | null
  block_hash: string | null
  incarnation: number | null
  recorded_at: Date
}
