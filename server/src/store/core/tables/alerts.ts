import type { AlertStatus, DeliveryStatus, Message } from '@tocsin/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Json, JsonOrNull, Stamps } from './columns.ts'

export type AlertsTable = Stamps & {
  id: string
  seq: Generated<string>
  kind: Generated<'match' | 'digest'>
  subscription_id: string | null
  rule_id: string | null
  account_id: string
  workspace_id: string
  project_id: string | null
  trigger_id: string | null
  project: string
  trigger: string
  status: AlertStatus
  reason: string | null
  source: string | null
  block_number: string | null
  block_hash: string | null
  incarnation: number | null
  policy_key: string | null
  delivery_key: string | null
  digest_id: string | null
  item_at: Date
  message: Json<Message>
  trace: Json<AlertTraceData>
}
/** What made an alert, kept for whoever asks why he was told. */
export type AlertTraceData = {
  item: unknown
  inputs: Record<string, unknown>
  providers: Record<string, unknown>
  activated: boolean
  /** Left out where it is the item itself. */
  raw?: unknown
  /** Left out where it is `raw`. */
  human?: unknown
  digest?: string[]
}
export type DeliveryAttempt = { at: string; ok: boolean; durationMs: number; status?: number; error?: string }
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
  /** What the channel answered, such as the id of the message, by which it can be corrected. */
  sent: JsonOrNull<Record<string, unknown>>
  /** It was tried, and nobody can say that it did not arrive: whoever takes it back has to say so. */
  may_have_arrived: Generated<boolean>
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
}
/** What a turn of a lane may be sending and has not settled. */
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
}
