import type { Condition, Finality, Overrides, Policy } from '@tocsin/contract'

/** One subscription to one trigger. A subscription through a template has one listener for each chosen rule. */
export type Listener = {
  /** `<subscription id>:<rule id>`; the rule id is empty without a template. */
  key: string
  /** Set if the inputs include the values of this binding of the trigger. */
  binding?: string
  subscriptionId: string
  ruleId: string
  triggerId: string
  accountId: string
  /** The subscription's workspace and the trigger's project. */
  workspaceId: string
  projectId: string
  inputs: Record<string, unknown>
  conditions: Condition | null
  /** The address lists that the conditions name; the conditions hold their addresses. */
  lists?: readonly string[]
  policy: Policy
  delivery: {
    mode: 'continuous' | 'once' | 'once_per_key'
    keyPath?: string | undefined
    finality?: Finality | undefined
  }
  overrides: Overrides
  /** Set while the subscription runs over past blocks; it is not live before the end. */
  history?: { source: string }
  resources: readonly { id: string; fullname: string; blueprint: string }[]
}

/** The part of a trigger that listeners need. */
export type SubscribedTrigger = {
  fullname: string
  project: string
  title: string
  definition: { defaults?: unknown; filtersSchema?: Record<string, unknown> | undefined }
}
