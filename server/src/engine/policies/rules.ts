import type { AlertPolicy, Policy, StatePolicy } from '@tocsin/contract'
import type { KeyState, Machine } from './key-state.ts'

/** What a policy does, with the settings of one definition. `decidedBy` are the settings that its alerts name. */
export type PolicyRules = {
  /** Null if a bound comes from an input that is not a number. */
  machine: Machine | null
  decidedBy: Pick<AlertPolicy, 'bound' | 'within' | 'for'>
  /** The bounds of the values, for the chart of an alert; absent if the policy bounds something else. */
  bounds?: { bound: unknown; until: unknown }
  /** What the policy compares with its bounds, for the chart; the value of the output if absent. */
  compared?(state: KeyState<unknown>): string | null
  /** A resolved alert shows the output that resolved it. Otherwise it shows the message of the firing alert. */
  showsRecovery?: boolean
  /** How long a quiet state still means something; null if it always does. */
  rememberedMs: number | null
  /** The state of a subscription that was just saved or resumed. */
  begin?<Seed>(state: KeyState<Seed>, nowMs: number): KeyState<Seed>
}

export type StatePolicyOf<Type extends StatePolicy['type']> = Extract<Policy, { type: Type }>
/** Undefined for a policy of another type. */
export type MakeRules = (policy: StatePolicy) => PolicyRules | undefined

/** One type of policy, in a file of its own. */
export function stateRules<Type extends StatePolicy['type']>(
  type: Type,
  make: (policy: StatePolicyOf<Type>) => PolicyRules,
): MakeRules {
  return (policy) => (isOfType(policy, type) ? make(policy) : undefined)
}

function isOfType<Type extends StatePolicy['type']>(policy: StatePolicy, type: Type): policy is StatePolicyOf<Type> {
  return policy.type === type
}
