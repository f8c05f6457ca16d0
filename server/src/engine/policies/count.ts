import { durationMs } from './duration-ms.ts'
import {
  addOutput,
  changePhase,
  isSameBlock,
  type KeyState,
  type Machine,
  type SeenOutput,
  type Step,
  startFiring,
  unchanged,
} from './key-state.ts'
import { dueAfter, hasPassed } from './read-to.ts'
import { stateRules } from './rules.ts'

type CountRules = { count: number; withinMs: number }

export const count = stateRules('count', ({ count, within }) => ({
  machine: makeCount({ count, withinMs: durationMs(within) }),
  decidedBy: { bound: count, within },
  rememberedMs: durationMs(within),
}))

/** Fires when `count` outputs lie within `withinMs`, and resolves when no output came for `withinMs`. */
function makeCount({ count, withinMs }: CountRules): Machine {
  return {
    step(state, output) {
      const { atMs, seenMs, mark, id } = output
      const last = state.outputs.at(-1)
      const isOver = last !== undefined && atMs - last.atMs > withinMs
      const timed = isOver ? resolve(state, last.atMs + withinMs) : unchanged(state)
      const counted = prune(addOutput(timed.state, { atMs, seenMs, mark }), atMs - withinMs)
      const within = counted.now.phase === 'firing' ? [] : outputsWithin(counted, atMs - withinMs)
      if (within.length < count) return { state: counted, events: timed.events }
      const details = { sinceMs: within[0]?.atMs ?? atMs, count: within.length }
      const firing = startFiring(counted, { id, sinceMs: atMs, toldMs: seenMs, mark, details })
      return { state: firing, events: [...timed.events, { kind: 'fired', id, atMs, by: 'output', details }] }
    },
    passTime(state, read) {
      const last = state.outputs.at(-1)
      if (!last || !hasPassed(last, withinMs, read)) return unchanged(state)
      return resolve(state, last.atMs + withinMs)
    },
    dueMs({ now, outputs }) {
      const last = outputs.at(-1)
      return now.phase === 'firing' && last ? dueAfter(last, withinMs) : null
    },
  }
}

/** Counting then starts with the next output. Time alone causes it, so no undone block takes it back. */
function resolve<Seed>(state: KeyState<Seed>, atMs: number): Step<Seed> {
  const { now, outputs } = state
  if (now.phase !== 'firing') return unchanged(state)
  const quiet = changePhase(state, { phase: 'quiet', countFrom: (outputs.at(-1)?.n ?? 0) + 1 }, null)
  return { state: quiet, events: [{ kind: 'resolved', firing: now, atMs, by: 'time' }] }
}

function outputsWithin<Seed>({ now, outputs }: KeyState<Seed>, fromMs: number): SeenOutput[] {
  const countFrom = (now.phase === 'quiet' ? now.countFrom : undefined) ?? 0
  return outputs.filter(({ n, atMs }) => n >= countFrom && atMs >= fromMs)
}

/**
 * While it fires, a block needs only its last output, because the time since the last output decides. The outputs before the
 * block that fired are all kept, as long as a reorg may undo that block: they are counted again then.
 */
function prune<Seed>(state: KeyState<Seed>, fromMs: number): KeyState<Seed> {
  const { now, outputs } = state
  const firedAt = now.phase === 'firing' ? firstOfFiredBlock(state) : 0
  const isNeeded = ({ atMs, mark }: KeyState<Seed>['outputs'][number], at: number) => {
    const next = outputs[at + 1]
    if (next === undefined) return true
    if (now.phase === 'firing') return at < firedAt || (mark !== null && !isSameBlock(mark, next.mark))
    return atMs >= fromMs || (mark === null && next.mark !== null)
  }
  return { ...state, outputs: outputs.filter(isNeeded) }
}

/** The place of the first output of the block that fired; not positive if no reorg can undo it. */
function firstOfFiredBlock<Seed>({ past, outputs }: KeyState<Seed>): number {
  const mark = past.findLast(({ before }) => before.phase !== 'firing')?.mark
  return mark ? outputs.findIndex((output) => isSameBlock(output.mark, mark)) : 0
}
