import type { BlockTime } from './block-time.ts'

/** Heads are still read while a node announces them, because the stream may have stopped silently. */
const announcedMs = 5_000
const pollMinMs = 250
const pollMaxMs = 2_000
/** Without a known block time, the wait is a share of the time since the last head, so that fast chains are read often. */
const unknownMaxMs = 500
const unknownShare = 0.25
/** The head is read when the next block is nearly due, then eight times in a block time. */
const dueShare = 0.9
const perBlock = 8

/** The wait before the next read of the head. It costs one or two calls a block. */
export function pollMs(blockTime: Pick<BlockTime, 'usualMs' | 'sinceHeadMs'>, areHeadsAnnounced: boolean): number {
  if (areHeadsAnnounced) return announcedMs
  const { usualMs, sinceHeadMs } = blockTime
  if (usualMs === undefined) return Math.min(unknownMaxMs, Math.max(pollMinMs, unknownShare * sinceHeadMs))
  const stepMs = Math.min(pollMaxMs, Math.max(pollMinMs, usualMs / perBlock))
  return Math.max(stepMs, dueShare * usualMs - sinceHeadMs)
}
