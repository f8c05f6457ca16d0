import type { Condition, DeliveryMode, Overrides, Policy } from '@tocsin/contract'
import type * as z from 'zod'
import type { RunnableTrigger } from '../../engine/run-trigger/index.ts'
import type { TriggerDefinition } from '../../store/core/tables.ts'

/** One subscription's ear at one trigger: a subscription through a template has one for each rule it chose. */
export type Listener = {
  /** `<subscription id>:<rule id>`, the rule id being empty without a template. */
  key: string
  subscriptionId: string
  ruleId: string
  triggerId: string
  accountId: string
  /** The subscription's workspace and the trigger's project. */
  workspaceId: string
  projectId: string
  inputs: Record<string, unknown>
  conditions: Condition | null
  policy: Policy
  delivery: z.output<typeof DeliveryMode>
  overrides: Overrides
  resources: readonly { id: string; fullname: string; blueprint: string }[]
}

/** A saved trigger that somebody listens to, made ready to run. */
export type LiveTrigger = {
  id: string
  version: number
  fullname: string
  project: string
  projectId: string
  /** Of the project: whose work it is, for fairness. */
  workspaceId: string
  title: string
  definition: TriggerDefinition
  runnable: RunnableTrigger
  /** The source it reads from; null for timers and for triggers on a stream. */
  dataSource: string | null
  /** It remembers (state_window), so its items run one after the other, in the order of the chain. */
  isOrdered: boolean
  listeners: ReadonlyMap<string, Listener>
}
