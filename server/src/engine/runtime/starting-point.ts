import type { FollowerRow } from '../../store/followers.ts'
import type { KeptBlock } from '../../store/source-blocks.ts'
import type { Link } from '../follow/index.ts'
import type { SourceChain } from './source-chain.ts'

/** How far back a source that was never followed looks for blocks that were made after it was saved. */
const lookBackMost = 64
/** How many numbers in a row may have no block. */
const skippedMost = 1_000

/**
 * Where a source without a checkpoint begins: at its head, or before the first block that was made since it was saved, so
 * that what happens while it starts is not missed.
 */
export async function firstPoint(chain: SourceChain, target: number, savedAt: Date): Promise<Link | undefined> {
  const since = savedAt.getTime()
  let at = await linkAtOrBelow(chain, Math.max(0, target))
  for (let back = 0; back < lookBackMost && at && at.number > 0 && isSince(at, since); back += 1)
    at = await linkAtOrBelow(chain, at.number - 1)
  return at
}

function isSince({ timestampMs }: Link, since: number): boolean {
  return timestampMs !== undefined && timestampMs >= since
}

/** The block of a number, or the last one before it where numbers are skipped. */
export async function linkAtOrBelow(chain: SourceChain, number: number): Promise<Link | undefined> {
  for (let at = number; at >= Math.max(0, number - skippedMost); at -= 1) {
    const link = await chain.link(at)
    if (link || !chain.skipsNumbers) return link
  }
  return undefined
}

/** What was applied and may still be replaced, with the checkpoint as the last. */
export function appliedOf(row: FollowerRow, kept: readonly KeptBlock[]): Link[] {
  const { number, hash } = row
  if (number === null) return []
  const below = kept.filter((block) => (hash === null ? block.number < number : block.number <= number))
  if (hash === null || below.at(-1)?.hash === hash) return below
  return [...below.filter((block) => block.number < number), { number, hash, parentHash: '' }]
}
