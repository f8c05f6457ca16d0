import { shownBound } from './bound.ts'
import { durationMs } from './duration-ms.ts'
import { isSameBlock, type Machine, type PolicyDetails, type SeenOutput } from './key-state.ts'
import { type StatePolicyOf, stateRules } from './rules.ts'
import { type ChangeBy, compareChange, comparedDetails, readChange } from './value-change.ts'
import { type Valued, windowMachine } from './value-window.ts'

type RateRules = ChangeBy & {
  /** `above`: a larger change is too large; `below`: a smaller one, which is a larger fall. */
  side: 'above' | 'below'
  perMs: number
}

export const rate = stateRules('rate', (policy) => {
  const bound = policy.above ?? policy.below
  return {
    machine: machineOf(policy),
    decidedBy: { ...shownBound(bound), within: policy.per },
    showsRecovery: true,
    rememberedMs: durationMs(policy.per),
  }
})

function machineOf({ above, below, per }: StatePolicyOf<'rate'>): Machine | null {
  const by = readChange(above ?? below ?? '')
  return by ? makeRate({ ...by, side: above === undefined ? 'below' : 'above', perMs: durationMs(per) }) : null
}

/** Compares the newest value with the oldest one of the window. */
function makeRate(rules: RateRules): Machine {
  return windowMachine({
    lengthMs: rules.perMs,
    isBeyond: (values) => isTooLarge(rules, values[0], values.at(-1)),
    lastBeyond(values) {
      const firstInside = values.findIndex((from) => !isTooLarge(rules, from, values.at(-1)))
      return values[firstInside - 1]?.output
    },
    detailsOf,
    prune: (outputs, fromMs) => prune(rules, outputs, fromMs),
  })
}

function isTooLarge({ side, ...bound }: RateRules, from: Valued | undefined, to: Valued | undefined): boolean {
  return (
    from !== undefined && to !== undefined && compareChange(bound, from.value, to.value) === (side === 'above' ? 1 : -1)
  )
}

function detailsOf(values: readonly Valued[]): PolicyDetails | undefined {
  const [oldest, newest] = [values[0], values.at(-1)]
  return oldest && newest && comparedDetails(oldest.output.atMs, oldest.value, newest.value, newest.output.value)
}

/** A window is exact to this part of `per`. */
const slotsOfWindow = 500

/**
 * Of the values that are final, the first of each slot stays and the last of all; of a block that a reorg may undo, the first
 * and the last.
 */
function prune({ perMs }: RateRules, outputs: readonly SeenOutput[], fromMs: number): SeenOutput[] {
  const lastFinal = outputs.findLast(({ mark }) => mark === null)
  const slotOf = ({ atMs }: SeenOutput) => Math.floor((atMs * slotsOfWindow) / perMs)
  let slot: number | undefined
  const isNeeded = (output: SeenOutput, at: number) => {
    if (output.atMs < fromMs) return false
    if (output.mark !== null)
      return (
        !isSameBlock(output.mark, outputs[at - 1]?.mark ?? null) ||
        !isSameBlock(output.mark, outputs[at + 1]?.mark ?? null)
      )
    const isFirst = slotOf(output) !== slot
    slot = slotOf(output)
    return isFirst || output === lastFinal
  }
  return outputs.filter(isNeeded)
}
