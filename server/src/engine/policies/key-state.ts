import type { ReadTo } from './read-to.ts'

/**
 * The state of a policy for one key:
 *
 *   quiet  → warmup   a threshold with `for`: the value is beyond the bound
 *   warmup → quiet    the value is not beyond the bound any longer
 *   quiet, warmup → firing   the policy fires: an alert with the state `firing`
 *   firing → quiet    the policy resolves: an alert with the state `resolved`
 *
 * `outputs` holds the outputs that the policy still needs. `past` holds the phase before each change of a block that a reorg
 * may still undo. One step costs O(outputs + past); a threshold keeps no outputs. `newest` is the last output of a warm-up, or
 * of a firing alert that is repeated: the message shows it. If a reorg undoes it, the message shows an older one.
 */
export type KeyState<Seed> = {
  now: Phase<Seed>
  past: Change<Seed>[]
  outputs: SeenOutput[]
  newest?: NewestOutput<Seed> | undefined
}
export type NewestOutput<Seed> = { mark: Mark; seed: Seed; details: PolicyDetails }

/** What the alert says of the decision: `contract/src/alerts.ts` explains the fields of the alert. */
export type PolicyDetails = {
  sinceMs: number
  value?: string | number | undefined
  previous?: string
  changePercent?: number
  count?: number
  lastAtMs?: number
}

export type Phase<Seed> = Quiet | { phase: 'warmup'; sinceMs: number; seenMs: number; seed: Seed } | Firing
/** `sinceMs`: when it resolved. `countFrom`: the number of the first output that a count includes. */
export type Quiet = { phase: 'quiet'; sinceMs?: number; countFrom?: number }
export type Firing = {
  phase: 'firing'
  /** The firing alert; null if the delivery mode suppressed it. */
  id: string | null
  sinceMs: number
  /** By the clock: when the alert was last sent or repeated. */
  toldMs: number
  repeats: number
  details: PolicyDetails
}

/** A block as it was applied: one that is applied again has another incarnation. */
export type AppliedBlock = { source: string; hash: string; incarnation: number }
export type Mark = AppliedBlock | null
export type Change<Seed> = { mark: Mark; before: Phase<Seed> }
/**
 * `atMs` is the time of the item, `seenMs` that of the clock when it was evaluated. `count`: it stands for so many outputs,
 * whose values are added up; one if absent.
 */
export type SeenOutput = { n: number; atMs: number; seenMs: number; value?: string; count?: number; mark: Mark }

/** An output as a policy gets it. `seed` makes what a warm-up stores of it. */
export type NewOutput<Seed> = {
  atMs: number
  seenMs: number
  value: unknown
  mark: Mark
  /** The id of the alert that the output would make. */
  id: string
  seed(details: PolicyDetails): Seed
  absenceId: AbsenceId
}

/** The id of the alert that nothing came after this output. */
export type AbsenceId = (last: Pick<SeenOutput, 'atMs' | 'mark'>) => string

export type PolicyEvent<Seed> =
  /**
   * `by`: whether the alert shows the output, the newest output of the warm-up, or that none came. The alert of a warm-up is
   * that of the output that began it, `seed`.
   */
  | { kind: 'fired'; id: string; atMs: number; by: 'output'; details: PolicyDetails }
  | { kind: 'fired'; id: string; atMs: number; by: 'seed'; seed: Seed; newest: Seed | undefined }
  | { kind: 'fired'; id: string; atMs: number; by: 'absence'; lastAtMs: number; mark: Mark }
  /** `details`: what the policy compared at the end, if that differs from what it fired by. */
  | { kind: 'resolved'; firing: Firing; atMs: number; by: 'output' | 'time'; details?: PolicyDetails }
  | { kind: 'repeated'; id: string; repeat: number; newest: Seed | undefined }
  | { kind: 'changed'; details: PolicyDetails }
  /** The output has no number at the path of the policy. */
  | { kind: 'unreadable' }

export type Step<Seed> = { state: KeyState<Seed>; events: PolicyEvent<Seed>[] }

/** A policy as functions over the state of one key. `Seed` is what a warm-up keeps of its outputs. */
export type Machine = {
  step<Seed extends WithId>(state: KeyState<Seed>, output: NewOutput<Seed>): Step<Seed>
  /** Handles what happens because no output came, as far as the items were read. */
  passTime<Seed extends WithId>(state: KeyState<Seed>, read: ReadTo, absenceId: AbsenceId): Step<Seed>
  /** When, by the clock, `passTime` must be called next; null if time alone changes nothing. */
  dueMs(state: KeyState<unknown>): number | null
  /** What a repeat says of a firing state. Without it, or if it says nothing, that is what it fired by, with the newest value. */
  latest?(state: KeyState<unknown>): PolicyDetails | undefined
}
/** `id` is that of the alert that the output would make. */
type WithId = { id: string }

export function emptyState<Seed>(): KeyState<Seed> {
  return { now: { phase: 'quiet' }, past: [], outputs: [] }
}

export function unchanged<Seed>(state: KeyState<Seed>): Step<Seed> {
  return { state, events: [] }
}

/**
 * For consecutive changes of one block only the first is kept, because they are undone together. The newest output is one of
 * the phase that ends.
 */
export function changePhase<Seed>(state: KeyState<Seed>, now: Phase<Seed>, mark: Mark): KeyState<Seed> {
  const last = state.past.at(-1)
  const { newest: _of, ...kept } = state
  if (last && isSameBlock(last.mark, mark)) return { ...kept, now }
  return { ...kept, now, past: [...state.past, { mark, before: state.now }] }
}

export function startFiring<Seed>(
  state: KeyState<Seed>,
  {
    id,
    sinceMs,
    toldMs,
    mark,
    details,
  }: Pick<Firing, 'sinceMs' | 'toldMs'> & {
    id: string
    mark: Mark
    details: PolicyDetails
  },
): KeyState<Seed> {
  return changePhase(state, { phase: 'firing', id, sinceMs, toldMs, repeats: 0, details }, mark)
}

export function withNewest<Seed>(
  state: KeyState<Seed>,
  output: NewOutput<Seed>,
  details: PolicyDetails,
): KeyState<Seed> {
  return { ...state, newest: { mark: output.mark, seed: output.seed(details), details } }
}

/**
 * Keeps the outputs in the order of their items. A run that waited for a provider may come late. What number 0 marks, the
 * beginning of an absence by the clock, stays first.
 */
export function addOutput<Seed>(state: KeyState<Seed>, output: Omit<SeenOutput, 'n'>): KeyState<Seed> {
  const { outputs } = state
  const n = lastNumber(state) + 1
  const later = outputs.findIndex((each) => each.n > 0 && each.atMs > output.atMs)
  const place = later === -1 ? outputs.length : later
  return { ...state, outputs: outputs.toSpliced(place, 0, { n, ...output }) }
}

/** A number is never given twice: a count starts after outputs that an undone block or time may have removed. */
function lastNumber<Seed>({ now, past, outputs }: KeyState<Seed>): number {
  const phases = [now, ...past.map(({ before }) => before)]
  const countsFrom = phases.map((phase) => (phase.phase === 'quiet' ? (phase.countFrom ?? 1) : 1))
  return Math.max(0, ...outputs.map(({ n }) => n), ...countsFrom.map((from) => from - 1))
}

/**
 * Takes back undone blocks: their outputs go, and the phase is that before the first of them. What no reorg can undo any
 * longer is not kept: `isFinal` is true for such blocks.
 */
export function settleBlocks<Seed>(
  state: KeyState<Seed>,
  isUndone: (mark: AppliedBlock) => boolean,
  isFinal: (mark: AppliedBlock) => boolean,
): KeyState<Seed> {
  if (blocksOf(state).every((mark) => !isUndone(mark) && !isFinal(mark))) return state
  const undoneAt = state.past.findIndex(({ mark }) => mark !== null && isUndone(mark))
  const undone = state.past[undoneAt]
  const now = undone?.before ?? state.now
  const past = undone ? state.past.slice(0, undoneAt) : state.past
  const firstOpen = past.findIndex(({ mark }) => mark !== null && !isFinal(mark))
  const outputs = state.outputs.filter(({ mark }) => mark === null || !isUndone(mark))
  const newest = state.newest?.mark && isUndone(state.newest.mark) ? undefined : state.newest
  return {
    now,
    past: firstOpen === -1 ? [] : past.slice(firstOpen),
    outputs: outputs.map((output) => (output.mark && isFinal(output.mark) ? { ...output, mark: null } : output)),
    newest: newest?.mark && isFinal(newest.mark) ? { ...newest, mark: null } : newest,
  }
}

export function blocksOf<Seed>({ past, outputs, newest }: KeyState<Seed>): AppliedBlock[] {
  return [...past, ...outputs, ...(newest ? [newest] : [])].flatMap(({ mark }) => (mark ? [mark] : []))
}

export function isSameBlock(a: Mark, b: Mark): boolean {
  if (a === null || b === null) return a === b
  return a.source === b.source && a.hash === b.hash && a.incarnation === b.incarnation
}

/** A value that an alert can show as it is. */
export function isAmount(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
