import { type Decimal, readDecimal, showDecimal } from '../base/decimals.ts'
import {
  addOutput,
  changePhase,
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

export type Valued = { output: SeenOutput; value: Decimal }

/** What a policy says of the values of its window, oldest first. */
export type WindowRules = {
  lengthMs: number
  isBeyond(values: readonly Valued[]): boolean
  /** The value after which the others are inside the bound, once time moves it and the older ones out of the window. */
  lastBeyond(values: readonly Valued[]): SeenOutput | undefined
  /** Undefined if there are no values to tell of. */
  detailsOf(values: readonly Valued[]): PolicyDetails | undefined
  /** What an alert says if no value is left. */
  emptyDetails?(atMs: number): PolicyDetails
  /** The outputs that later steps and undos need. Those before `fromMs` are out of every window. */
  prune(outputs: readonly SeenOutput[], fromMs: number): SeenOutput[]
}

/**
 * A policy on the values that are at most `lengthMs` older than the newest one. Only an output fires. An output resolves, and
 * so does time: a value that leaves the window counts no longer. One that is exactly so old still counts.
 */
export function windowMachine(rules: WindowRules): Machine {
  const leavesAfterMs = rules.lengthMs + 1
  return {
    step(state, output) {
      const { atMs, seenMs, mark } = output
      const value = readDecimal(output.value)
      if (value === undefined) return { state, events: [{ kind: 'unreadable' }] }
      const timed = resolveByTime(rules, state, (last) => atMs > last.atMs + rules.lengthMs)
      const added = addOutput(timed.state, { atMs, seenMs, mark, value: showDecimal(value) })
      const { state: next, events } = decide(rules, added, output)
      return { state: pruned(rules, next), events: [...timed.events, ...events] }
    },
    passTime: (state, read) => resolveByTime(rules, state, (output) => hasPassed(output, leavesAfterMs, read)),
    dueMs(state) {
      const last = state.now.phase === 'firing' ? rules.lastBeyond(valuesIn(rules, state)) : undefined
      return last ? dueAfter(last, leavesAfterMs) : null
    },
    latest: (state) => rules.detailsOf(valuesIn(rules, state)),
  }
}

/** The values of the window, the newest last. */
export function valuesIn({ lengthMs }: Pick<WindowRules, 'lengthMs'>, { outputs }: KeyState<unknown>): Valued[] {
  const fromMs = (outputs.at(-1)?.atMs ?? 0) - lengthMs
  return outputs.flatMap((output) => {
    const value = output.atMs < fromMs ? undefined : readDecimal(output.value)
    return value ? [{ output, value }] : []
  })
}

/** A late output of an earlier item decides as of the newest one. */
function decide<Seed>(rules: WindowRules, state: KeyState<Seed>, { id, seenMs, mark }: NewOutput<Seed>): Step<Seed> {
  const { now } = state
  const values = valuesIn(rules, state)
  const details = rules.detailsOf(values)
  const atMs = values.at(-1)?.output.atMs
  if (rules.isBeyond(values) === (now.phase === 'firing') || !details || atMs === undefined) return unchanged(state)
  if (now.phase === 'firing') {
    const quiet = changePhase(state, { phase: 'quiet' }, mark)
    return { state: quiet, events: [{ kind: 'resolved', firing: now, atMs, by: 'output', details }] }
  }
  const firing = startFiring(state, { id, sinceMs: atMs, toldMs: seenMs, mark, details })
  return { state: firing, events: [{ kind: 'fired', id, atMs, by: 'output', details }] }
}

/** As of the time when the value left the window. Time alone causes it, so no undone block takes it back. */
function resolveByTime<Seed>(
  rules: WindowRules,
  state: KeyState<Seed>,
  hasLeft: (last: SeenOutput) => boolean,
): Step<Seed> {
  const { now } = state
  const values = valuesIn(rules, state)
  const last = now.phase === 'firing' ? rules.lastBeyond(values) : undefined
  if (now.phase !== 'firing' || !last || !hasLeft(last)) return unchanged(state)
  const rest = values.slice(values.findIndex(({ output }) => output.n === last.n) + 1)
  const atMs = last.atMs + rules.lengthMs
  const details = rules.detailsOf(rest) ?? rules.emptyDetails?.(atMs)
  const quiet = changePhase(state, { phase: 'quiet' }, null)
  return { state: quiet, events: [{ kind: 'resolved', firing: now, atMs, by: 'time', ...(details && { details }) }] }
}

/** Keeps the window of the last value that no reorg can undo, and all later values: an undo goes back to that window at most. */
function pruned<Seed>({ lengthMs, prune }: WindowRules, state: KeyState<Seed>): KeyState<Seed> {
  const lastFinal = state.outputs.findLast(({ mark }) => mark === null)
  const fromMs = lastFinal ? lastFinal.atMs - lengthMs : Number.NEGATIVE_INFINITY
  return { ...state, outputs: prune(state.outputs, fromMs) }
}
