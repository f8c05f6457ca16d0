import type { TriggerMeta, TriggerStatus } from '@tocsin/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Entity, Json, JsonOrNull, Sealed, Tagging } from './columns.ts'

/** A trigger's definition. Names, meta, tags and status have their own columns; providers are sealed. */
export type TriggerDefinition = {
  backend: Record<string, unknown>
  inputs: Record<string, unknown>
  defaults?: Record<string, unknown>
  triggerSpec: Record<string, unknown> | null
  sourceBindings?: Record<string, unknown>[]
  filtersSchema?: Record<string, unknown>
  outputSchema?: Record<string, unknown>
  transform: Record<string, unknown> | null
  activation: Record<string, unknown> | null
  conditions?: Record<string, unknown>
  executionPolicy: Record<string, unknown> | null
}

/** The content of a draft. Its names come from its fullname and its project, so that a transfer updates them. */
export type DraftContent = TriggerDefinition & {
  providers: Record<string, unknown>[]
  tags: string[]
  labels: Record<string, string>
  meta: TriggerMeta
}
export type TriggersTable = Entity &
  Tagging & {
    id: string
    project_id: string
    name: string
    fullname: string
    definition: Json<TriggerDefinition>
    providers: Sealed
    data_source: string | null
    status: Json<TriggerStatus>
    status_before: ColumnType<TriggerStatus | null, string | null | undefined, string | null>
    definition_warning: ColumnType<TriggerStatus | null, string | null | undefined, string | null>
    binding_warning: ColumnType<TriggerStatus | null, string | null | undefined, string | null>
    meta: Json<TriggerMeta>
  }
/** Why the source of a binding gives no items: the code says which event ends it. */
export type BindingFailure = { reasonCode: string; issue: string }
export type TriggerBindingsTable = {
  trigger_id: string
  id: string
  position: number
  source: string
  failure: JsonOrNull<BindingFailure>
}
export type TriggerFactoriesTable = {
  trigger_id: string
  source: string
  factory: string
  from_block: string | null
  learned_to: string | null
  is_learned: Generated<boolean>
}
export type FactoryMembersTable = {
  trigger_id: string
  source: string
  factory: string
  address: string
  block_number: string
  block_hash: string
}
export type TriggerDraftsTable = {
  id: string
  version: Generated<number>
  fullname: string
  project_id: string
  definition: Sealed
  saved_by: string
  saved_at: Date
}
export type TriggerVersionsTable = {
  trigger_id: string
  number: number
  project_id: string
  content: Sealed
  changed: Json<string[]>
  restored_from: number | null
  saved_by: string | null
  saved_at: Date
}
export type TriggerLogsTable = {
  id: Generated<string>
  trigger_id: string
  kind: 'delivery_failure' | 'source_pressure' | 'delivery'
  status: 'delivered' | 'failed' | 'rate_limited' | 'blocked' | 'limited'
  reason_code: string | null
  message: string | null
  count: number
  first_seen_at: Date
  last_seen_at: Date
  channel: string | null
  resource: string | null
  source: string | null
  sample: ColumnType<Record<string, unknown> | null, string | null, string | null>
}
export type ChangeKind = 'trigger' | 'subscription' | 'template' | 'source' | 'project' | 'account' | 'address_list'
export type ChangesTable = {
  id: Generated<string>
  xid: Generated<string>
  kind: ChangeKind
  entity_id: string
  at: Generated<Date>
}
/** A change of a trigger's status that has not been published yet. */
export type TriggerEventsTable = {
  id: Generated<string>
  trigger_id: string
  before: ColumnType<TriggerStatus, never, never>
  after: ColumnType<TriggerStatus, never, never>
  at: Generated<Date>
}
