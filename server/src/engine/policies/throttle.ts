import type { AlertPolicy, Policy } from '@tocsin/contract'
import { storableTime } from '../base/iso-time.ts'
import { durationMs } from './duration-ms.ts'
import { type AppliedBlock, isSameBlock, type Mark } from './key-state.ts'

export type ThrottlePolicy = Extract<Policy, { type: 'throttle' }>
export type Passed = { id: string; atMs: number }
/** Outputs of one block that made no alert. */
type Suppressed = { mark: Mark; count: number }
/** What an alert of the block `by` counted. It counts again if a reorg undoes that block. */
type Told = { by: AppliedBlock; sinceMs: number; suppressed: Suppressed[] }
/** `suppressed` came since the alert at `sinceMs`, and no alert has counted them yet. */
export type ThrottleCounts = { sinceMs: number; suppressed: Suppressed[]; told?: Told[] }

/**
 * Keeps the alerts of one key at least one period apart, in whatever order their items are processed, and counts the outputs
 * in between. The alerts that passed are in the store; only the counts need a row.
 */
export type Throttle = {
  mayPass(atMs: number, id: string): boolean
  /** Returns what the alert says of the throttle. */
  pass(atMs: number, id: string, mark: Mark): AlertPolicy
  suppress(atMs: number, mark: Mark): void
  /** The counts to save, if they changed. */
  changed(): ThrottleCounts | undefined
}

/** Counts of blocks that a reorg may still undo are kept apart, for at most so many blocks; so are the counts that alerts told. */
const marksMax = 64

/** `isChanged`: a reorg changed the stored counts since they were saved. */
export function makeThrottle(
  policy: ThrottlePolicy,
  earlier: readonly Passed[],
  stored: ThrottleCounts | undefined,
  isChanged = false,
): Throttle {
  const perMs = durationMs(policy.per)
  const passed = [...earlier]
  let sinceMs = stored && stored.suppressed.length > 0 ? stored.sinceMs : undefined
  let { suppressed, told = [] } = stored ?? { suppressed: [] }
  let hasChanged = isChanged
  const isNear = (alert: Passed, atMs: number) => Math.abs(alert.atMs - atMs) < perMs
  return {
    // A repeated evaluation makes the same alert again, which must pass.
    mayPass: (atMs, id) => passed.every((alert) => alert.id === id || !isNear(alert, atMs)),
    pass(atMs, id, mark) {
      // The alert is stored already, with what it counted.
      const isRepeated = passed.some((alert) => alert.id === id)
      if (isRepeated || suppressed.length === 0) {
        if (!isRepeated) passed.push({ id, atMs })
        return throttlePolicy(policy, atMs, 0)
      }
      const from = sinceMs ?? atMs
      const count = countOf(suppressed)
      if (mark) told = withOneTold(told, { by: mark, sinceMs: from, suppressed })
      ;[suppressed, sinceMs, hasChanged] = [[], undefined, true]
      passed.push({ id, atMs })
      return throttlePolicy(policy, from, count)
    },
    suppress(atMs, mark) {
      sinceMs ??= passed.find((alert) => isNear(alert, atMs))?.atMs ?? atMs
      suppressed = withOneMore(suppressed, mark)
      hasChanged = true
    },
    changed: () => (hasChanged ? { sinceMs: sinceMs ?? 0, suppressed, told } : undefined),
  }
}

/** `suppressed`: the outputs since the alert before this one. */
function throttlePolicy({ per }: ThrottlePolicy, sinceMs: number, suppressed: number): AlertPolicy {
  return { type: 'throttle', within: per, since: storableTime(sinceMs), suppressed }
}

/** The counts without those of undone blocks, and with those that an alert of an undone block had told. */
export function undoThrottle(
  { sinceMs, suppressed, told = [] }: ThrottleCounts,
  isUndone: (mark: AppliedBlock) => boolean,
): ThrottleCounts {
  const takenBack = told.filter(({ by }) => isUndone(by))
  const stillThere = (each: Suppressed) => each.mark === null || !isUndone(each.mark)
  const counted = [...takenBack.flatMap((each) => each.suppressed), ...suppressed].filter(stillThere)
  return {
    sinceMs: takenBack[0]?.sinceMs ?? sinceMs,
    suppressed: withinMarks(counted),
    told: told
      .filter(({ by }) => !isUndone(by))
      .map((each) => ({ ...each, suppressed: each.suppressed.filter(stillThere) })),
  }
}

function countOf(suppressed: readonly Suppressed[]): number {
  return suppressed.reduce((sum, { count }) => sum + count, 0)
}

/** The oldest ones are final first. */
function withOneTold(told: readonly Told[], last: Told): Told[] {
  const next = [...told, last]
  const marks = () => next.reduce((sum, each) => sum + each.suppressed.length, 0)
  while (next.length > 1 && marks() > marksMax) next.shift()
  return next
}

function withOneMore(suppressed: readonly Suppressed[], mark: Mark): Suppressed[] {
  const last = suppressed.at(-1)
  if (last && isSameBlock(last.mark, mark)) return [...suppressed.slice(0, -1), { mark, count: last.count + 1 }]
  return withinMarks([...suppressed, { mark, count: 1 }])
}

/** Beyond the limit the oldest counts are added up: their blocks are final. */
function withinMarks(suppressed: readonly Suppressed[]): Suppressed[] {
  if (suppressed.length <= marksMax) return [...suppressed]
  const [old, kept] = [suppressed.slice(0, 1 - marksMax), suppressed.slice(1 - marksMax)]
  return [{ mark: null, count: countOf(old) }, ...kept]
}

export function marksOf({ suppressed, told = [] }: ThrottleCounts): AppliedBlock[] {
  const counted = [...suppressed, ...told.flatMap((each) => each.suppressed)]
  return [...counted.flatMap(({ mark }) => mark ?? []), ...told.map(({ by }) => by)]
}
