import { durationMs } from './duration-ms.ts'
import {
  type AbsenceId,
  addOutput,
  changePhase,
  isSameBlock,
  type KeyState,
  type Machine,
  type Mark,
  type SeenOutput,
  type Step,
  startFiring,
  unchanged,
} from './key-state.ts'
import { dueAfter, hasPassed, hasPassedSinceClock, type ReadTo } from './read-to.ts'
import { stateRules } from './rules.ts'

type AbsenceRules = { withinMs: number }

export const absence = stateRules('absence', ({ within }) => ({
  machine: makeAbsence({ withinMs: durationMs(within) }),
  decidedBy: { within },
  rememberedMs: null,
  begin: beginAbsence,
}))

/**
 * Fires when no output came for `withinMs` after the last one, and resolves with the next output. `beginAbsence` makes the
 * state of a subscription that has just begun; a key without any state begins with its first output.
 */
function makeAbsence({ withinMs }: AbsenceRules): Machine {
  return {
    step(state, output) {
      const { atMs, seenMs, mark, absenceId } = output
      const last = state.outputs.at(-1)
      const isLate = state.now.phase !== 'firing' && last !== undefined && atMs - last.atMs > withinMs
      const fired = isLate ? fire(state, seenMs, withinMs, absenceId) : unchanged(state)
      const resolved = resolve(fired.state, atMs, mark)
      const next = prune(addOutput(resolved.state, { atMs, seenMs, mark }))
      return { state: next, events: [...fired.events, ...resolved.events] }
    },
    passTime(state, read, absenceId) {
      const last = state.outputs.at(-1)
      if (state.now.phase === 'firing' || !last || !isOver(last, withinMs, read)) return unchanged(state)
      return fire(state, read.nowMs, withinMs, absenceId)
    },
    dueMs({ now, outputs }) {
      const last = outputs.at(-1)
      return now.phase === 'firing' || !last ? null : dueAfter(last, withinMs)
    },
  }
}

function isOver(last: SeenOutput, withinMs: number, read: ReadTo): boolean {
  return last.n === begunNumber ? hasPassedSinceClock(last.atMs, withinMs, read) : hasPassed(last, withinMs, read)
}

/** The number of the beginning of a subscription among its outputs. */
const begunNumber = 0

/** The time before the first output counts from here. A state that fires goes on firing. */
function beginAbsence<Seed>(state: KeyState<Seed>, nowMs: number): KeyState<Seed> {
  if (state.now.phase === 'firing') return state
  return { ...state, outputs: [{ n: begunNumber, atMs: nowMs, seenMs: nowMs, mark: null }] }
}

/** It rests on the last output, so an undo of that block takes it back. */
function fire<Seed>(state: KeyState<Seed>, toldMs: number, withinMs: number, absenceId: AbsenceId): Step<Seed> {
  const last = state.outputs.at(-1) ?? { atMs: 0, mark: null }
  const { atMs: lastAtMs, mark } = last
  const id = absenceId(last)
  const atMs = lastAtMs + withinMs
  const firing = startFiring(state, { id, sinceMs: atMs, toldMs, mark, details: { sinceMs: lastAtMs, lastAtMs } })
  return { state: firing, events: [{ kind: 'fired', id, atMs, by: 'absence', lastAtMs, mark }] }
}

function resolve<Seed>(state: KeyState<Seed>, atMs: number, mark: Mark): Step<Seed> {
  const { now } = state
  if (now.phase !== 'firing') return unchanged(state)
  const quiet = changePhase(state, { phase: 'quiet' }, mark)
  return { state: quiet, events: [{ kind: 'resolved', firing: now, atMs, by: 'output' }] }
}

/** Keeps the last output, and one of each earlier block in case that later blocks are undone. */
function prune<Seed>(state: KeyState<Seed>): KeyState<Seed> {
  const { outputs } = state
  return {
    ...state,
    outputs: outputs.filter(({ mark }, at) => !outputs[at + 1] || !isSameBlock(mark, outputs[at + 1]?.mark ?? null)),
  }
}
