import { findUnlinked, type Link } from '../../../engine/follow-core/chain.ts'
import type { Follower } from '../../../engine/follow-core/follower.ts'
import { UpstreamError } from '../../../engine/outbound/upstream-error.ts'
import { requireLease } from '../../../store/following/followers.ts'
import type { FollowContext } from '../follow-context.ts'
import { ChainMoved } from '../source-chain.ts'

const readsAtOnce = 16

/**
 * Blocks from before the source was followed that are not final. A reorg may replace them, and their alerts are taken back
 * only if the follower knows them. So before a history reads such blocks, their hashes are added to the blocks that the
 * follower has applied. The follow loop does it between two steps of the follower; the history waits for it.
 */
export class EarlierBlocks {
  readonly #context: FollowContext
  /** The lowest block that a history wants to read. */
  #wanted: number | undefined
  /** The blocks from `from` on are known or final, as long as the follower's chain begins with this block. */
  #known: { from: number; first: string } | undefined
  #failure: UpstreamError | undefined

  constructor(context: FollowContext) {
    this.#context = context
  }

  /** Throws ChainMoved while the blocks from this one on are not known. */
  require(from: number): void {
    if (this.#known && from >= this.#known.from) return
    this.#wanted = Math.min(from, this.#wanted ?? from)
    const failure = this.#failure
    this.#failure = undefined
    if (failure) throw failure
    this.#context.wake()
    throw new ChainMoved(`the follower does not know the blocks from ${from} on yet`)
  }

  /** Adds the blocks that a history waits for. A failed read is the failure of the history, not of the source. */
  async add(follower: Follower): Promise<void> {
    if (this.#known && this.#known.first !== follower.unbrokenFrom?.hash) this.#known = undefined
    const from = this.#wanted
    if (from === undefined) return
    // A history that still waits asks again. One that was deleted must not make the loop read for ever.
    this.#wanted = undefined
    try {
      await this.#add(follower, from)
    } catch (error) {
      if (error instanceof UpstreamError) this.#failure = error
      else if (!(error instanceof ChainMoved)) throw error
    }
  }

  async #add(follower: Follower, from: number): Promise<void> {
    const { deps, lease, chain, connection } = this.#context
    const { tip, unbrokenFrom: next } = follower
    if (!tip || !next) return
    const replaceable = tip.number - chain.pace.replaceable
    const finalized = Math.max(replaceable, (await chain.pace.finalized?.(connection)) ?? replaceable)
    const before = follower.applied.findLast(({ number }) => number < next.number)?.number ?? -1
    const links = await this.#read(Math.max(from, finalized + 1, before + 1), next)
    if (links.length > 0)
      await deps.store.tx(async (store) => {
        await requireLease(store, lease)
        await store.sourceBlocks.add(lease.source, links)
      })
    follower.addEarlier(links)
    this.#known = { from, first: follower.unbrokenFrom?.hash ?? next.hash }
  }

  /** Reads the blocks from this number to the one before `next`. */
  async #read(from: number, next: Link): Promise<Link[]> {
    const links: Link[] = []
    for (let first = from; first < next.number; first += readsAtOnce) {
      const numbers = Array.from({ length: Math.min(readsAtOnce, next.number - first) }, (_, at) => first + at)
      links.push(...(await Promise.all(numbers.map((number) => this.#readLink(number)))).flat())
    }
    const unlinked = findUnlinked([...links, next])
    if (unlinked) throw new ChainMoved(`block ${unlinked.number} was replaced while the blocks before it were read`)
    return links
  }

  async #readLink(at: number): Promise<Link[]> {
    const { view } = this.#context
    const link = await view.link(at)
    if (!link && !view.skipsNumbers) throw new UpstreamError('bad_answer', `The node does not return block ${at}.`)
    return link ? [{ number: link.number, hash: link.hash, parentHash: link.parentHash }] : []
  }
}
