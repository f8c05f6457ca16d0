import type { BlockTime } from './block-time.ts'

/** A stream of heads may have died without a word. */
const announcedMs = 5_000
const leastMs = 250
const mostMs = 2_000
/** Before the block time is known, or where there is none: sooner while blocks come quickly. */
const unknownMostMs = 500
const unknownShare = 0.25
/** A head is asked for when it is nearly due, then several times in a block time. */
const dueShare = 0.9
const perBlock = 8

/** How long to wait before the next look at the head, so that it costs one or two calls a block. */
export function pollMs(blockTime: Pick<BlockTime, 'usualMs' | 'sinceHeadMs'>, areHeadsAnnounced: boolean): number {
  if (areHeadsAnnounced) return announcedMs
  const { usualMs, sinceHeadMs } = blockTime
  if (usualMs === undefined) return Math.min(unknownMostMs, Math.max(leastMs, unknownShare * sinceHeadMs))
  const stepMs = Math.min(mostMs, Math.max(leastMs, usualMs / perBlock))
  return Math.max(stepMs, dueShare * usualMs - sinceHeadMs)
}
