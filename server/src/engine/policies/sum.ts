import { addDecimals, compareDecimals, type Decimal, readDecimal, showDecimal } from '../base/decimals.ts'
import { readBound, shownBound } from './bound.ts'
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

type SumRules = { above: Decimal; withinMs: number }

export const sum = stateRules('sum', (policy) => {
  const rules = rulesOf(policy)
  return {
    machine: rules && makeSum(rules),
    decidedBy: { ...shownBound(policy.above), within: policy.within },
    bounds: { bound: shownBound(policy.above).bound, until: undefined },
    compared: (state) => rules && showDecimal(total(windowOf(rules, state))),
    showsRecovery: true,
    rememberedMs: durationMs(policy.within),
  }
})

function rulesOf({ above, within }: StatePolicyOf<'sum'>): SumRules | null {
  const bound = readBound(above)
  return bound ? { above: bound, withinMs: durationMs(within) } : null
}

/**
 * Adds up the values that are at most `withinMs` older than the newest one. Only an output fires. An output resolves (a
 * negative value), and so does time: a value that leaves the window counts no longer.
 */
function makeSum(rules: SumRules): Machine {
  return {
    step(state, output) {
      const { atMs, seenMs, mark } = output
      const value = readDecimal(output.value)
      if (value === undefined) return { state, events: [{ kind: 'unreadable' }] }
      const timed = resolveByTime(rules, state, (last) => atMs > last.atMs + rules.withinMs)
      const added = addOutput(timed.state, { atMs, seenMs, mark, value: showDecimal(value) })
      const { state: next, events } = decide(rules, added, output)
      return { state: prune(rules, next), events: [...timed.events, ...events] }
    },
    passTime: (state, read) => resolveByTime(rules, state, (output) => hasPassed(output, leavesAfter(rules), read)),
    dueMs(state) {
      const last = state.now.phase === 'firing' ? lastTooMuch(rules, state) : undefined
      return last ? dueAfter(last, leavesAfter(rules)) : null
    },
    latest: (state) => detailsOf(windowOf(rules, state)),
  }
}

/** A value that is exactly `within` old still counts. */
function leavesAfter({ withinMs }: SumRules): number {
  return withinMs + 1
}

type Valued = { output: SeenOutput; value: Decimal }

/** The values at most `within` older than the newest one, which is the last. */
function windowOf<Seed>({ withinMs }: SumRules, { outputs }: KeyState<Seed>): Valued[] {
  const fromMs = (outputs.at(-1)?.atMs ?? 0) - withinMs
  return outputs.flatMap((output) => {
    const value = output.atMs < fromMs ? undefined : readDecimal(output.value)
    return value ? [{ output, value }] : []
  })
}

const nothing: Decimal = { digits: 0n, scale: 0 }

function total(values: readonly Valued[]): Decimal {
  return values.reduce((sum, { value }) => addDecimals(sum, value), nothing)
}

/** The value after which the sum is not above the bound, once time moves it and the older ones out of the window. */
function lastTooMuch<Seed>(rules: SumRules, state: KeyState<Seed>): SeenOutput | undefined {
  const values = windowOf(rules, state)
  let rest = total(values)
  for (const [at, { output, value }] of values.entries()) {
    rest = addDecimals(rest, { ...value, digits: -value.digits })
    // Values of one time leave together.
    const leavesAlone = values[at + 1]?.output.atMs !== output.atMs
    if (leavesAlone && compareDecimals(rest, rules.above) <= 0) return output
  }
  return undefined
}

/** A late output of an earlier item counts as of the newest one, if it is still in the window. */
function decide<Seed>(rules: SumRules, state: KeyState<Seed>, { id, seenMs, mark }: NewOutput<Seed>): Step<Seed> {
  const { now } = state
  const values = windowOf(rules, state)
  const isAbove = compareDecimals(total(values), rules.above) > 0
  const details = detailsOf(values)
  const atMs = values.at(-1)?.output.atMs
  if (isAbove === (now.phase === 'firing') || !details || atMs === undefined) return unchanged(state)
  if (now.phase === 'firing') {
    const quiet = changePhase(state, { phase: 'quiet' }, mark)
    return { state: quiet, events: [{ kind: 'resolved', firing: now, atMs, by: 'output', details }] }
  }
  const firing = startFiring(state, { id, sinceMs: atMs, toldMs: seenMs, mark, details })
  return { state: firing, events: [{ kind: 'fired', id, atMs, by: 'output', details }] }
}

/** As of the time when the value left the window. Time alone causes it, so no undone block takes it back. */
function resolveByTime<Seed>(
  rules: SumRules,
  state: KeyState<Seed>,
  hasLeft: (last: SeenOutput) => boolean,
): Step<Seed> {
  const { now } = state
  const last = now.phase === 'firing' ? lastTooMuch(rules, state) : undefined
  if (now.phase !== 'firing' || !last || !hasLeft(last)) return unchanged(state)
  const values = windowOf(rules, state)
  const rest = values.slice(values.findIndex(({ output }) => output.n === last.n) + 1)
  const atMs = last.atMs + rules.withinMs
  const details = detailsOf(rest) ?? { sinceMs: atMs, value: '0', count: 0 }
  const quiet = changePhase(state, { phase: 'quiet' }, null)
  return { state: quiet, events: [{ kind: 'resolved', firing: now, atMs, by: 'time', details }] }
}

function detailsOf(values: readonly Valued[]): PolicyDetails | undefined {
  const [oldest] = values
  if (!oldest) return undefined
  const count = values.reduce((sum, { output }) => sum + (output.count ?? 1), 0)
  return { sinceMs: oldest.output.atMs, value: showDecimal(total(values)), count }
}

/** A window with values of more blocks than this is exact to this part of `within`. */
const slotsOfWindow = 1_000

/**
 * Joins the values of each block, because they have one time and are undone together. Keeps the window of the last value
 * that no reorg can undo, and all later values: an undo goes back to that window at most. Of more values that are final than
 * there are slots, those of each slot are joined too.
 */
function prune<Seed>({ withinMs }: SumRules, state: KeyState<Seed>): KeyState<Seed> {
  const lastFinal = state.outputs.findLast(({ mark }) => mark === null)
  const fromMs = lastFinal ? lastFinal.atMs - withinMs : Number.NEGATIVE_INFINITY
  const needed = state.outputs.filter(({ atMs }) => atMs >= fromMs)
  const ofBlocks = joined(needed, (a, b) => a.atMs === b.atMs && isSameBlock(a.mark, b.mark))
  const slotOf = ({ atMs }: SeenOutput) => Math.floor((atMs * slotsOfWindow) / withinMs)
  const isFinal = ({ mark }: SeenOutput) => mark === null
  const isLong = ofBlocks.filter(isFinal).length > slotsOfWindow
  const outputs = isLong ? joined(ofBlocks, (a, b) => isFinal(a) && isFinal(b) && slotOf(a) === slotOf(b)) : ofBlocks
  return { ...state, outputs }
}

/** Neighbours that belong together become one output, with the time of the later one. */
function joined(outputs: readonly SeenOutput[], areOne: (a: SeenOutput, b: SeenOutput) => boolean): SeenOutput[] {
  const list: SeenOutput[] = []
  for (const output of outputs) {
    const last = list.at(-1)
    if (last && areOne(last, output)) list[list.length - 1] = sumOf(last, output)
    else list.push(output)
  }
  return list
}

function sumOf(a: SeenOutput, b: SeenOutput): SeenOutput {
  const value = addDecimals(readDecimal(a.value) ?? nothing, readDecimal(b.value) ?? nothing)
  return {
    n: Math.max(a.n, b.n),
    atMs: b.atMs,
    seenMs: Math.max(a.seenMs, b.seenMs),
    value: showDecimal(value),
    count: (a.count ?? 1) + (b.count ?? 1),
    mark: a.mark,
  }
}
