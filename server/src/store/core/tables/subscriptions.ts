import type { Condition, DeliveryMode, Overrides, Policy } from '@tocsin/contract'
import type { Generated } from 'kysely'
import type * as z from 'zod'
import type { Entity, Json, JsonOrNull } from './columns.ts'

export type SubscriptionsTable = Entity & {
  id: string
  seq: Generated<string>
  account_id: string
  workspace_id: string
  project_id: string
  template_id: string | null
  topics: JsonOrNull<string[]>
  vals: JsonOrNull<Record<string, unknown>>
  trigger_id: string | null
  inputs: JsonOrNull<Record<string, unknown>>
  conditions: JsonOrNull<Condition>
  policy: JsonOrNull<NonNullable<Policy>>
  delivery: JsonOrNull<z.output<typeof DeliveryMode>>
  overrides: JsonOrNull<Overrides>
  meta: Json<{ title?: string }>
  paused: Generated<boolean>
}
export type SubscriptionResourcesTable = { subscription_id: string; resource_id: string; position: number }
