import type { Link } from '../../engine/follow-core/index.ts'
import type { FollowerRow } from '../../store/following/followers.ts'
import type { KeptBlock } from '../../store/following/source-blocks.ts'
import type { SourceChain } from './source-chain.ts'

/** How many numbers in a row may have no block. */
const skippedMost = 1_000

type Links = Pick<SourceChain, 'skipsNumbers'> & { link(number: number): Promise<Link | undefined> }
export type StartOptions = {
  /** The first head that was ever seen of the source. */
  target: number
  /** Blocks of this time and later are wanted; undefined: nobody listens. */
  since: number | undefined
  /** So many blocks before the target are looked at. */
  backMost: number
}
/** `isCut`: wanted blocks lie before it, too far back. */
export type StartingPoint = { at: Link; isCut: boolean }

/**
 * Where a source without a checkpoint begins: after the last block that was made before somebody wanted the source. A
 * source that comes up late, because its nodes failed, misses nothing this way. The block is found by its timestamp, in
 * steps back of 1, 2, 4 and so on and then by halves, so that it costs few calls however far back it lies.
 */
export async function startingPoint(chain: Links, options: StartOptions): Promise<StartingPoint | undefined> {
  const { target, since, backMost } = options
  const lowest = Math.max(0, target - backMost)
  let wanted: Link | undefined
  for (let back = 0; ; back = Math.max(1, 2 * back)) {
    const at = await linkAtOrBelow(chain, Math.max(lowest, target - back))
    if (!at) return undefined
    if (!isSince(at, since)) return { at: wanted ? await lastBefore(chain, at, wanted, since) : at, isCut: false }
    wanted = at
    if (at.number <= lowest) return { at, isCut: at.number > 0 }
  }
}

/** Between a block that is too old and a later one that is wanted, the last that is too old. */
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

/** The block of a number, or the last one before it where numbers are skipped. */
export async function linkAtOrBelow(chain: Links, number: number): Promise<Link | undefined> {
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
