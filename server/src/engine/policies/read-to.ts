/**
 * Up to which time the items of a trigger were read and evaluated. A timer of a policy may decide only what lies before it:
 * after a restart or an outage, the blocks that decide otherwise may not be read yet.
 *
 * - `chainMs`: every block before this time, by the blocks' own times, was applied.
 * - `clockMs`: every block that the node had at this time, by the clock, was applied. A chain that makes no blocks shows
 *   only this.
 *
 * Null: not known. For a trigger without a chain both are the present.
 */
export type ReadTo = { nowMs: number; chainMs: number | null; clockMs: number | null }
/** A time of an item, and the time of the clock when it was evaluated. */
export type SeenAt = { atMs: number; seenMs: number }

/** An item that was evaluated later than this after its time was read late: its own time counts then. */
const lateMs = 60_000

/** When the clock shows that `lengthMs` has passed since an item. */
export function dueAfter({ atMs, seenMs }: SeenAt, lengthMs: number): number {
  return (seenMs - atMs > lateMs ? atMs : seenMs) + lengthMs
}

/** True if `lengthMs` has passed since an item, and all items of that time were evaluated. */
export function hasPassed(since: SeenAt, lengthMs: number, { nowMs, chainMs, clockMs }: ReadTo): boolean {
  if (nowMs < dueAfter(since, lengthMs)) return false
  return (chainMs ?? notRead) >= since.atMs + lengthMs || (clockMs ?? notRead) >= since.seenMs + lengthMs
}

/** As `hasPassed`, since a time of the clock that no item showed: the times of the chain may be ahead of it. */
export function hasPassedSinceClock(sinceMs: number, lengthMs: number, { nowMs, chainMs, clockMs }: ReadTo): boolean {
  const dueMs = sinceMs + lengthMs
  const isChainOnTime = (chainMs ?? notRead) <= nowMs + lateMs
  return nowMs >= dueMs && ((clockMs ?? notRead) >= dueMs || (isChainOnTime && (chainMs ?? notRead) >= dueMs))
}

const notRead = Number.NEGATIVE_INFINITY

export function readByClock(nowMs: number): ReadTo {
  return { nowMs, chainMs: nowMs, clockMs: nowMs }
}

/** A timer that is due but cannot decide yet is set again: soon at first, and less often the longer it waits. */
export function decideAgainMs(dueMs: number, nowMs: number): number {
  return nowMs + Math.min(10_000, Math.max(1_000, (nowMs - dueMs) / 8))
}
