import type { Follower } from '../../engine/follow-core/index.ts'
import type { FollowContext } from './follow-context.ts'

const updateEveryMs = 10_000
/** Final blocks are deleted when there are this many, so that following a quiet chain costs few transactions. */
const pruneBlocks = 64
/** The most blocks that are kept for alerts that wait. */
const keptMax = 10_000
const undoneKeptMs = 7 * 86_400_000

/** Keeps the finalized block up to date and deletes stored blocks that the chain can no longer replace. */
export class Finality {
  readonly #context: FollowContext
  #updatedAt = Number.NEGATIVE_INFINITY
  #prunedTo = Number.NEGATIVE_INFINITY

  constructor(context: FollowContext) {
    this.#context = context
  }

  /** Blocks from `lowestWaiting` on are kept; undefined if nobody knows yet which alerts wait for the finality of a block. */
  async update(follower: Follower, lowestWaiting: number | undefined): Promise<void> {
    const { deps, lease, chain, connection, progress } = this.#context
    const { tip } = follower
    if (!tip || lowestWaiting === undefined || performance.now() - this.#updatedAt < updateEveryMs) return
    this.#updatedAt = performance.now()
    const finalized = (await chain.pace.finalized?.(connection)) ?? tip.number - chain.pace.replaceable
    const lowestNeeded = Math.max(lowestWaiting, tip.number - keptMax)
    progress.finalized = Math.max(0, Math.min(finalized, tip.number - 1, lowestNeeded - 1))
    follower.forgetUpTo(progress.finalized)
    if (progress.finalized < this.#prunedTo + pruneBlocks) return
    this.#prunedTo = progress.finalized
    const undoneBefore = new Date(deps.clock().getTime() - undoneKeptMs)
    await deps.store.sourceBlocks.prune(lease.source, progress.finalized, undoneBefore)
  }
}
