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
  stack: string | null
  key: string | null
}
/** Past blocks that a subscription runs over before it is live. bigint columns arrive as strings. */
export type HistoriesTable = {
  subscription_id: string
  source: string
  from_block: string
  /**
   * The head of the chain when the subscription began, or the last block before it that no reorg has replaced since. Later
   * blocks are run too until it is live, as live ones.
   */
  to_block: string
  /** Blocks up to this one were read, and their matches are jobs. */
  fetched: string
  /** The last block of the last job. All jobs have been evaluated if `done` has reached it. */
  queued: string
  /** Blocks up to this one were evaluated. */
  done: string
  /** Grows when blocks have to be read again; jobs of an earlier generation write nothing. */
  generation: Generated<number>
  delivers: boolean
  state: 'running' | 'done' | 'failed'
  reason: string | null
  /** Runs of the block after `done` that are recorded, while others of this block wait for a provider. */
  recorded: JsonOrNull<RecordedRuns>
  created_at: Date
  updated_at: Date
}
/** `runs` are names of runs (`runtime/jobs/job.ts`). */
export type RecordedRuns = { number: number; hash: string; incarnation: number; runs: string[] }
export type SubscriptionResourcesTable = { subscription_id: string; resource_id: string; position: number }
