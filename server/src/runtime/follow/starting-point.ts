import type { Link } from '../../engine/follow-core/chain.ts'
import type { FollowerRow } from '../../store/following/followers.ts'
import type { KeptBlock } from '../../store/following/source-blocks.ts'
import type { SourceChain } from './source-chain.ts'

/** The most numbers in a row that may have no block. */
const skippedMax = 1_000

type Links = Pick<SourceChain, 'skipsNumbers'> & { link(number: number): Promise<Link | undefined> }
export type StartOptions = {
  /** The first head that the service saw of the source. */
  target: number
  /** Blocks of this time and later are wanted; undefined if the source has no listeners. */
  since: number | undefined
  /** The search goes back at most this many blocks before the target. */
  backMax: number
}
/** `isCut`: there are wanted blocks before it, but further back than `backMax`. */
export type StartingPoint = { at: Link; isCut: boolean }

/**
 * Finds where a source without a checkpoint begins: after the last block that was made before the source was wanted. So a
 * source whose nodes failed at first misses nothing. The search goes by timestamp, back in steps of 1, 2, 4 and so on,
 * then by bisection; it costs about 2·log2(distance) calls.
 */
export async function startingPoint(chain: Links, options: StartOptions): Promise<StartingPoint | undefined> {
  const { target, since, backMax } = options
  const lowest = Math.max(0, target - backMax)
  let wanted: Link | undefined
  for (let back = 0; ; back = Math.max(1, 2 * back)) {
    const at = await linkAtOrBelow(chain, Math.max(lowest, target - back))
    if (!at) return undefined
    if (!isSince(at, since)) return { at: wanted ? await lastBefore(chain, at, wanted, since) : at, isCut: false }
    wanted = at
    if (at.number <= lowest) return { at, isCut: at.number > 0 }
  }
}

/** Bisects between a block that is too old and a later wanted one; returns the last block that is too old. */
async function lastBefore(chain: Links, old: Link, wanted: Link, since: number | undefined): Promise<Link> {
  let [low, high] = [old, wanted.number]
  while (high - low.number > 1) {
    const middle = Math.floor((low.number + high) / 2)
    const at = await linkAtOrBelow(chain, middle)
    if (at && at.number > low.number && !isSince(at, since)) low = at
    else high = at && at.number > low.number ? at.number : middle
  }
  return low
}

function isSince({ timestampMs }: Link, since: number | undefined): boolean {
  return since !== undefined && timestampMs !== undefined && timestampMs >= since
}

/** The block with this number; on a chain that skips numbers, the last block before it. */
export async function linkAtOrBelow(chain: Links, number: number): Promise<Link | undefined> {
  for (let at = number; at >= Math.max(0, number - skippedMax); at -= 1) {
    const link = await chain.link(at)
    if (link || !chain.skipsNumbers) return link
  }
  return undefined
}

/** The applied blocks that the chain may still replace; the checkpoint is the last. */
export function appliedOf(row: FollowerRow, kept: readonly KeptBlock[]): Link[] {
  const { number, hash } = row
  if (number === null) return []
  const below = kept.filter((block) => (hash === null ? block.number < number : block.number <= number))
  if (hash === null || below.at(-1)?.hash === hash) return below
  return [...below.filter((block) => block.number < number), { number, hash, parentHash: '' }]
}
