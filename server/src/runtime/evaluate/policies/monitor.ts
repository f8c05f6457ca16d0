import type { BlockMark } from '../../../store/alerts/alert-writes.ts'

/**
 * What a monitor remembers of one key. Standby is nothing. An item that meets the conditions starts a warm-up; when it
 * has lasted, the monitor fires once, for the item that started it, and cools down. An item that does not meet the
 * conditions ends the warm-up. Time is the items' own; the clock on the wall only helps when no further item comes.
 */
export type Phase<Seed> =
  | { phase: 'warmup'; sinceMs: number; seed: Seed }
  | { phase: 'cooldown'; untilMs: number }
  | { phase: 'standby' }

export type Change<Seed> = { mark: BlockMark | null; before: Phase<Seed> }
/** `past` holds what came before the latest changes, and which block brought them: an undone block's are taken back. */
export type MonitorState<Seed> = { now: Phase<Seed>; past: Change<Seed>[] }
export type Lengths = { forMs: number; cooldownMs: number }
export type Step<Seed> = { state: MonitorState<Seed>; fired: Seed[] }

/** More blocks with changes of one key than are undone together. */
const pastMax = 64

export function standby<Seed>(): MonitorState<Seed> {
  return { now: { phase: 'standby' }, past: [] }
}

/** An output of the key; `seed` is null where the conditions are not met. */
export function stepMonitor<Seed>(
  state: MonitorState<Seed>,
  item: { atMs: number; seed: Seed | null; mark: BlockMark | null },
  lengths: Lengths,
): Step<Seed> {
  const passed = passTime(state, item.atMs, lengths, item.mark)
  const { now } = passed.state
  if (item.seed === null) {
    const isOver = now.phase === 'warmup' && item.atMs >= now.sinceMs
    return isOver ? { ...passed, state: change(passed.state, { phase: 'standby' }, item.mark) } : passed
  }
  if (now.phase !== 'standby') return passed
  const started = change(passed.state, { phase: 'warmup', sinceMs: item.atMs, seed: item.seed }, item.mark)
  const fired = passTime(started, item.atMs, lengths, item.mark)
  return { state: fired.state, fired: [...passed.fired, ...fired.fired] }
}

/** A warm-up that has lasted fires at its end, however much later that is noticed; a cool-down ends. */
export function passTime<Seed>(
  state: MonitorState<Seed>,
  nowMs: number,
  { forMs, cooldownMs }: Lengths,
  mark: BlockMark | null,
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

/** As it was before the first of the undone blocks; what came after that block was undone with it. */
export function takeBackMonitor<Seed>(
  state: MonitorState<Seed>,
  isUndone: (mark: BlockMark) => boolean,
): MonitorState<Seed> {
  const at = state.past.findIndex(({ mark }) => mark !== null && isUndone(mark))
  const undone = state.past[at]
  return undone ? { now: undone.before, past: state.past.slice(0, at) } : state
}

export function marksOf<Seed>({ past }: MonitorState<Seed>): BlockMark[] {
  return past.flatMap(({ mark }) => (mark ? [mark] : []))
}

/** Of the changes that one block brings in a row the first is enough: they are undone together. */
function change<Seed>(state: MonitorState<Seed>, now: Phase<Seed>, mark: BlockMark | null): MonitorState<Seed> {
  const last = state.past.at(-1)
  if (last && isSame(last.mark, mark)) return { now, past: state.past }
  return { now, past: [...state.past, { mark, before: state.now }].slice(-pastMax) }
}

function isSame(a: BlockMark | null, b: BlockMark | null): boolean {
  if (a === null || b === null) return a === b
  return a.source === b.source && a.hash === b.hash && a.incarnation === b.incarnation
}
