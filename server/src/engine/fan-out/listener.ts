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

/** A policy with a state for each key. Its outputs are evaluated in the order of their items. */
export type StatePolicy = Extract<Policy, { type: 'threshold' | 'count' | 'absence' | 'change' }>

const stateTypes: readonly string[] = ['threshold', 'count', 'absence', 'change'] satisfies StatePolicy['type'][]

export function isStatePolicy(policy: Policy): policy is StatePolicy {
  return policy !== null && stateTypes.includes(policy.type)
}

/** The part of a trigger that listeners need. */
export type SubscribedTrigger = {
  fullname: string
  project: string
  title: string
  definition: { defaults?: unknown; filtersSchema?: Record<string, unknown> | undefined }
}
