import { readDecimal, showDecimal } from '../../../../engine/base/decimals.ts'
import type { NewPolicyValue } from '../../../../store/alerts/policy-values.ts'
import type { Candidate, CandidateOutput } from '../../fan-out/candidate.ts'
import type { LoadedState } from './stored-state.ts'

/** While nothing happens, a key stores at most one value in this time: most values of most keys are read by nobody. */
const quietSlotMs = 60_000

/**
 * The value that a policy compared, for the chart of its alerts; undefined if the policy compares none. `isQuiet`: the
 * output changed nothing and the policy does not fire.
 */
export function comparedValue(
  { name, policy }: LoadedState,
  { itemAtMs, block }: Candidate,
  output: CandidateOutput,
  isQuiet: boolean,
): NewPolicyValue | undefined {
  const value = 'value' in policy ? show(output.value) : null
  if (value === null) return undefined
  const slotMs = isQuiet ? Math.floor(itemAtMs / quietSlotMs) * quietSlotMs : itemAtMs
  return { ...name, ...boundsOf(policy), slot: new Date(slotMs), at: new Date(itemAtMs), value, block }
}

function boundsOf(policy: LoadedState['policy']): Pick<NewPolicyValue, 'bound' | 'until'> {
  if (policy.type !== 'threshold') return { bound: null, until: null }
  return { bound: show(policy.above ?? policy.below), until: show(policy.until) }
}

function show(value: unknown): string | null {
  const decimal = readDecimal(value)
  return decimal === undefined ? null : showDecimal(decimal)
}
