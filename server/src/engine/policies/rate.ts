import { type Decimal, readDecimal, showDecimal } from '../base/decimals.ts'
import { shownBound } from './bound.ts'
import { durationMs } from './duration-ms.ts'
import {
  addOutput,
  changePhase,
  isSameBlock,
  type KeyState,
  type Machine,
  type NewOutput,
  type PolicyDetails,
  type SeenOutput,
  type Step,
  startFiring,
  unchanged,
} from './key-state.ts'
import { dueAfter, hasPassed } from './read-to.ts'
import { type StatePolicyOf, stateRules } from './rules.ts'
import { type ChangeBy, compareChange, comparedDetails, readChange } from './value-change.ts'

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

/**
 * Compares the newest value with the oldest one that is at most `perMs` older. Only an output fires. An output resolves, and
 * so does time: an earlier value that leaves the window is compared with no longer.
 */
function makeRate(rules: RateRules): Machine {
  return {
    step(state, output) {
      const { atMs, seenMs, mark } = output
      const value = readDecimal(output.value)
      if (value === undefined) return { state, events: [{ kind: 'unreadable' }] }
      const timed = resolveByTime(rules, state, (last) => atMs > last.atMs + rules.perMs)
      const added = addOutput(timed.state, { atMs, seenMs, mark, value: showDecimal(value) })
      const { state: next, events } = decide(rules, added, output)
      return { state: prune(rules, next), events: [...timed.events, ...events] }
    },
    passTime: (state, read) => resolveByTime(rules, state, (output) => hasPassed(output, leavesAfter(rules), read)),
    dueMs(state) {
      const last = state.now.phase === 'firing' ? lastTooFar(rules, state) : undefined
      return last ? dueAfter(last, leavesAfter(rules)) : null
    },
    latest: (state) => detailsOf(windowOf(rules, state)),
  }
}

/** A value that is exactly `per` old still counts. */
function leavesAfter({ perMs }: RateRules): number {
  return perMs + 1
}

type Valued = { output: SeenOutput; value: Decimal }

/** The values at most `perMs` older than the newest one, which is the last. */
function windowOf<Seed>({ perMs }: RateRules, { outputs }: KeyState<Seed>): Valued[] {
  const fromMs = (outputs.at(-1)?.atMs ?? 0) - perMs
  return outputs.flatMap((output) => {
    const value = output.atMs < fromMs ? undefined : readDecimal(output.value)
    return value ? [{ output, value }] : []
  })
}

function isTooLarge({ side, ...bound }: RateRules, from: Valued | undefined, to: Valued | undefined): boolean {
  return (
    from !== undefined && to !== undefined && compareChange(bound, from.value, to.value) === (side === 'above' ? 1 : -1)
  )
}

/** The value after which the change is inside the bound, once time moves it out of the window. */
function lastTooFar<Seed>(rules: RateRules, state: KeyState<Seed>): SeenOutput | undefined {
  const values = windowOf(rules, state)
  const firstInside = values.findIndex((from) => !isTooLarge(rules, from, values.at(-1)))
  return values[firstInside - 1]?.output
}

/** A late output of an earlier item decides as of the newest one, which is compared with it from now on. */
function decide<Seed>(rules: RateRules, state: KeyState<Seed>, { id, seenMs, mark }: NewOutput<Seed>): Step<Seed> {
  const { now } = state
  const values = windowOf(rules, state)
  const newest = values.at(-1)
  const isFar = isTooLarge(rules, values[0], newest)
  const details = detailsOf(values)
  if (isFar === (now.phase === 'firing') || !newest || !details) return unchanged(state)
  const { atMs } = newest.output
  if (now.phase === 'firing') {
    const quiet = changePhase(state, { phase: 'quiet' }, mark)
    return { state: quiet, events: [{ kind: 'resolved', firing: now, atMs, by: 'output', details }] }
  }
  const firing = startFiring(state, { id, sinceMs: atMs, toldMs: seenMs, mark, details })
  return { state: firing, events: [{ kind: 'fired', id, atMs, by: 'output', details }] }
}

/** As of the time when the value left the window. Time alone causes it, so no undone block takes it back. */
function resolveByTime<Seed>(
  rules: RateRules,
  state: KeyState<Seed>,
  hasLeft: (last: SeenOutput) => boolean,
): Step<Seed> {
  const { now } = state
  const last = now.phase === 'firing' ? lastTooFar(rules, state) : undefined
  if (now.phase !== 'firing' || !last || !hasLeft(last)) return unchanged(state)
  const values = windowOf(rules, state)
  const details = detailsOf(values.slice(values.findIndex(({ output }) => output.n === last.n) + 1))
  const quiet = changePhase(state, { phase: 'quiet' }, null)
  const atMs = last.atMs + rules.perMs
  return { state: quiet, events: [{ kind: 'resolved', firing: now, atMs, by: 'time', ...(details && { details }) }] }
}

function detailsOf(values: readonly Valued[]): PolicyDetails | undefined {
  const [oldest, newest] = [values[0], values.at(-1)]
  return oldest && newest && comparedDetails(oldest.output.atMs, oldest.value, newest.value, newest.output.value)
}

/** A window is exact to this part of `per`. */
const slotsOfWindow = 500

/**
 * Keeps the window of the last value that no reorg can undo, and all later values: an undo goes back to that window at most.
 * Of the values that are final, the first of each slot stays and the last of all; of a block that a reorg may undo, the first
 * and the last.
 */
function prune<Seed>({ perMs }: RateRules, state: KeyState<Seed>): KeyState<Seed> {
  const { outputs } = state
  const lastFinal = outputs.findLast(({ mark }) => mark === null)
  const fromMs = lastFinal ? lastFinal.atMs - perMs : Number.NEGATIVE_INFINITY
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
  return { ...state, outputs: outputs.filter(isNeeded) }
}
