import type { Link } from '../../engine/follow-core/chain.ts'
import type { Follower } from '../../engine/follow-core/follower.ts'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import type { ReachedLevel, WaitingGroup } from '../../store/alerts/waiting-alerts.ts'
import { requireLease } from '../../store/following/followers.ts'
import type { FollowContext } from './follow-context.ts'

/** While a source catches up, it releases alerts this often; at the head, after each new block. */
const catchUpMs = 1_000
/** The alerts of one commit. */
const releasedMax = 1_000

/**
 * Releases the alerts of a source that wait until their block is safe, finalized or has so many blocks on it.
 *
 * The class knows what alerts wait for, and the lowest block of each group. It reads this from the store when a process
 * announces waiting alerts, and after a release. After each new block it compares it with the chain: confirmations are
 * counted, the other levels are read from the node. A source without waiting alerts makes no query and no call.
 *
 * A release and an undo are made by the same loop under the same lease, so an alert whose block was undone is never released.
 */
export class WaitingAlerts {
  readonly #context: FollowContext
  #groups: readonly WaitingGroup[] | undefined
  #checkedTip: Link | undefined
  #checkedAt = Number.NEGATIVE_INFINITY
  /** The levels that the node does not report; each is logged once. */
  readonly #unreported = new Set<string>()

  constructor(context: FollowContext) {
    this.#context = context
  }

  /** The lowest block that a waiting alert needs; the follower keeps this block and those above. Undefined if unknown. */
  get lowest(): number | undefined {
    return this.#groups && Math.min(...this.#groups.map(({ lowest }) => lowest), Number.POSITIVE_INFINITY)
  }

  async release(follower: Follower, isAtHead: boolean): Promise<void> {
    const { deps, takeAnnouncedWaiting } = this.#context
    const { tip } = follower
    if (!tip) return
    const isNewTip = this.#checkedTip?.hash !== tip.hash
    if (takeAnnouncedWaiting() || (isNewTip && !deps.store.notifications.isUp)) this.#groups = undefined
    if (this.#groups && (!isNewTip || this.#groups.length === 0)) return
    if (!isAtHead && deps.now() - this.#checkedAt < catchUpMs) return
    this.#groups ??= await deps.store.waitingAlerts.list(this.#context.lease.source)
    this.#checkedTip = tip
    this.#checkedAt = deps.now()
    const levels = await this.#readLevels(follower, tip, this.#groups)
    const isReached = this.#groups.some(({ finality, lowest }) =>
      levels.some((level) => level.finality === finality && level.number >= lowest),
    )
    if (isReached) await this.#releaseUpTo(levels)
  }

  async #readLevels(follower: Follower, tip: Link, groups: readonly WaitingGroup[]): Promise<ReachedLevel[]> {
    const levels: ReachedLevel[] = []
    for (const { finality } of groups) {
      const number =
        finality === 'safe' || finality === 'finalized'
          ? await this.#readLevel(follower, finality)
          : this.#confirmed(follower, tip, Number(finality))
      if (number !== undefined) levels.push({ finality, number })
    }
    return levels
  }

  /** The highest block that has this many blocks on it. On a chain that skips numbers the applied blocks are counted. */
  #confirmed(follower: Follower, tip: Link, confirmations: number): number | undefined {
    const { chain, source } = this.#context
    if (chain.pace.skipsNumbers) return follower.applied.at(-1 - confirmations)?.number
    return tip.number + (source.settings.confirmations ?? 0) - confirmations
  }

  /** A node that does not answer is asked again after the next block. */
  async #readLevel(follower: Follower, name: 'safe' | 'finalized'): Promise<number | undefined> {
    const { chain, connection } = this.#context
    try {
      const level = await chain.pace.level?.(connection, name)
      if (!level) return await this.#explainUnreported(name)
      this.#unreported.delete(name)
      const applied = follower.applied.find(({ number }) => number === level.number)
      // The node is on another fork than the applied blocks: the next step finds out which blocks were replaced.
      if (applied && level.hash !== undefined && applied.hash !== level.hash) return undefined
      return level.number
    } catch (error) {
      if (error instanceof UpstreamError) return undefined
      throw error
    }
  }

  async #explainUnreported(name: 'safe' | 'finalized'): Promise<undefined> {
    const { deps, source, report } = this.#context
    const reason = `Waits until its block is ${name}, but the node of the source "${source.fullname}" does not report ${name} blocks.`
    await deps.store.waitingAlerts.explain(source.fullname, name, reason, deps.clock())
    if (this.#unreported.has(name)) return
    this.#unreported.add(name)
    const message = `The node does not report ${name} blocks: alerts that wait for a ${name} block are not sent`
    await report.log({ level: 'warn', message, details: { level: name } })
  }

  async #releaseUpTo(levels: readonly ReachedLevel[]): Promise<void> {
    const { deps, lease } = this.#context
    for (let count = releasedMax; count === releasedMax; ) {
      const released = await deps.store.tx(async (store) => {
        await requireLease(store, lease)
        const released = await store.waitingAlerts.release(lease.source, levels, releasedMax, deps.clock())
        await store.jobs.wakeLanes(released.resourceIds)
        await deps.crashPoint('release.beforeCommit')
        return released
      })
      await deps.crashPoint('release.afterCommit')
      count = released.count
    }
    this.#groups = await deps.store.waitingAlerts.list(lease.source)
  }
}
