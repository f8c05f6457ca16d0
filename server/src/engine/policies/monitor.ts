import type { Policy } from '@tocsin/contract'
import { durationMs } from './duration-ms.ts'
import { type AppliedBlock, isSameBlock, type Mark } from './key-state.ts'

/**
 * The state of a monitor for one key:
 *
 *   standby  → warmup    an item meets the conditions
 *   warmup   → standby   an item does not meet the conditions
 *   warmup   → cooldown  the warm-up lasted long enough: the monitor fires once, with the item that started the warm-up
 *   cooldown → standby   the cool-down is over
 *
 * Time is the time of the items. A timer fires the monitor if no further item comes. One step costs O(1).
 */
export type Phase<Seed> =
  | { phase: 'warmup'; sinceMs: number; seed: Seed }
  | { phase: 'cooldown'; untilMs: number }
  | { phase: 'standby' }

export type Change<Seed> = { mark: Mark; before: Phase<Seed> }
/** `past` holds the phase before each of the latest changes and the block that caused it, so that a block can be undone. */
export type MonitorState<Seed> = { now: Phase<Seed>; past: Change<Seed>[] }
export type Lengths = { forMs: number; cooldownMs: number }
export type Step<Seed> = { state: MonitorState<Seed>; fired: Seed[] }

/** A reorg undoes fewer blocks than this that changed one key. */
const pastMax = 64

export function standby<Seed>(): MonitorState<Seed> {
  return { now: { phase: 'standby' }, past: [] }
}

/** Handles one output of the key; `seed` is null if the conditions are not met. */
export function stepMonitor<Seed>(
  state: MonitorState<Seed>,
  item: { atMs: number; seed: Seed | null; mark: Mark },
  lengths: Lengths,
): Step<Seed> {
  const timed = passTime(state, item.atMs, lengths, item.mark)
  const { now } = timed.state
  if (item.seed === null) {
    const isOver = now.phase === 'warmup' && item.atMs >= now.sinceMs
    return isOver ? { ...timed, state: change(timed.state, { phase: 'standby' }, item.mark) } : timed
  }
  if (now.phase !== 'standby') return timed
  const started = change(timed.state, { phase: 'warmup', sinceMs: item.atMs, seed: item.seed }, item.mark)
  const fired = passTime(started, item.atMs, lengths, item.mark)
  return { state: fired.state, fired: [...timed.fired, ...fired.fired] }
}

/** Ends a warm-up or cool-down whose time is over. A warm-up fires as of its end, even if that is noticed later. */
export function passTime<Seed>(
  state: MonitorState<Seed>,
  nowMs: number,
  { forMs, cooldownMs }: Lengths,
  mark: Mark,
): Step<Seed> {
  const { now } = state
  if (now.phase === 'warmup' && nowMs >= now.sinceMs + forMs) {
    const untilMs = now.sinceMs + forMs + cooldownMs
    const next: Phase<Seed> = nowMs < untilMs ? { phase: 'cooldown', untilMs } : { phase: 'standby' }
    return { state: change(state, next, mark), fired: [now.seed] }
  }
  if (now.phase === 'cooldown' && nowMs >= now.untilMs)
    return { state: change(state, { phase: 'standby' }, mark), fired: [] }
  return { state, fired: [] }
}

/** Returns the state before the first undone block. Blocks after it are undone too. */
export function undoMonitor<Seed>(
  state: MonitorState<Seed>,
  isUndone: (mark: AppliedBlock) => boolean,
): MonitorState<Seed> {
  const at = state.past.findIndex(({ mark }) => mark !== null && isUndone(mark))
  const undone = state.past[at]
  return undone ? { now: undone.before, past: state.past.slice(0, at) } : state
}

export function marksOf<Seed>({ past }: MonitorState<Seed>): AppliedBlock[] {
  return past.flatMap(({ mark }) => (mark ? [mark] : []))
}

/** For consecutive changes of one block only the first is kept, because they are undone together. */
function change<Seed>(state: MonitorState<Seed>, now: Phase<Seed>, mark: Mark): MonitorState<Seed> {
  const last = state.past.at(-1)
  if (last && isSameBlock(last.mark, mark)) return { now, past: state.past }
  return { now, past: [...state.past, { mark, before: state.now }].slice(-pastMax) }
}

type MonitorPolicy = Extract<Policy, { type: 'monitor' }>

export function lengthsOf({ for: lasting, cooldown }: MonitorPolicy): Lengths {
  return { forMs: durationMs(lasting), cooldownMs: durationMs(cooldown) }
}
