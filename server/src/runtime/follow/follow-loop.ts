import { Follower, type Link, type SeenHead, type Step } from '../../engine/follow-core/index.ts'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import type { Chain } from '../../engine/sources/chain.ts'
import type { LiveConnection } from '../../engine/sources/connection.ts'
import type { FollowerRow, Held } from '../../store/following/followers.ts'
import { LeaseLost } from '../../store/following/lease.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { Fairness } from '../jobs/index.ts'
import type { LiveSource, SourceIndex } from '../listeners/index.ts'
import type { BlockTime } from './block-time.ts'
import { CallsPerBlock, limitCause } from './limit-cause.ts'
import type { Patience } from './patience.ts'
import { pollMs } from './polling.ts'
import { ChainMoved, SourceChain } from './source-chain.ts'
import type { SourceReport } from './source-report.ts'
import { makeSink } from './source-sink.ts'
import { standingOf } from './standing.ts'
import { appliedOf, linkAtOrBelow, type StartingPoint, startingPoint } from './starting-point.ts'

export type PursuitParts = {
  deps: RuntimeDeps
  source: LiveSource
  held: Held
  report: SourceReport
  fairness: Fairness
  isStopping(): boolean
  areHeadsTold(): boolean
  /** The latest head that a node told of by itself, once. */
  takeAnnounced(): SeenHead | undefined
  wait(ms: number): Promise<void>
  /** Both outlive a follower that fails. */
  blockTime: BlockTime
  patience: Patience
  /** What was told of failures before, once. */
  recovered(): { failures: number; seconds: number } | undefined
}

/** Without anybody who listens, a source that is further behind than this goes to its head at once. */
const idleBlocks = 50
const batchMost = 16
const queuedDefault = 10_000
/** How many tries there seem to have been of a source whose first block cannot be read: it is asked for twice a second. */
const unreadTries = 4
/** Stands for the block at which a source begins: its number is not known before it could be read. */
const firstBlock = -1
const aheadPerFetch = 4
const shortFirstMs = 50
const finalityEveryMs = 10_000
const undoneKeptMs = 7 * 86_400_000
/** For so long a block may be missing, or a chain end below all that was processed, before it is an error. */
const patienceMs = 30_000

/** The steps of one source's follower, until somebody stops it or something fails. */
export class Pursuit {
  readonly #parts: PursuitParts
  readonly #calls = new CallsPerBlock()
  #head: SeenHead | undefined
  #headAt: Date | null = null
  #finalized: number | null = null
  #finalityAt = Number.NEGATIVE_INFINITY
  #troubleSince: number | undefined

  constructor(parts: PursuitParts) {
    this.#parts = parts
  }

  async follow(chain: Chain, connection: LiveConnection): Promise<void> {
    const { deps, source, isStopping, wait } = this.#parts
    const view = new SourceChain(connection, chain.pace, () => deps.listeners.index(source.fullname)?.wanted)
    const follower = await this.#openInTime(chain, view)
    for (let short = 0; follower && !isStopping(); ) {
      const step = await this.#step(follower, chain, view)
      if (step) await this.#settle(step, follower, chain, connection)
      if (step?.kind === 'ahead') continue
      short = step?.kind === 'level' ? 0 : short + 1
      await wait(this.#waitMs(short))
    }
  }

  #waitMs(short: number): number {
    const { blockTime, areHeadsTold } = this.#parts
    const nextMs = pollMs(blockTime, areHeadsTold())
    return short > 0 ? Math.min(nextMs, shortFirstMs * 2 ** Math.min(short - 1, 8)) : nextMs
  }

  /** The first block may not be readable yet. Undefined when the source is stopped meanwhile. */
  async #openInTime(chain: Chain, view: SourceChain): Promise<Follower | undefined> {
    const { patience, isStopping, wait } = this.#parts
    while (!isStopping())
      try {
        return await this.#open(chain, view)
      } catch (error) {
        if (!patience.allows(firstBlock, error)) throw error
        await wait(this.#waitMs(unreadTries))
      }
    return undefined
  }

  async #open(chain: Chain, view: SourceChain): Promise<Follower> {
    const { deps, source, held } = this.#parts
    const row = await deps.store.followers.find(held.source)
    if (row?.epoch !== held.epoch) throw new LeaseLost(held.source)
    this.#finalized = row.finalized
    const sink = makeSink({ ...this.#parts, chain, view }, () => this.#horizon())
    const applied = appliedOf(row, await deps.store.sourceBlocks.listApplied(held.source))
    const follower = new Follower(view, sink, applied, optionsOf(source))
    if (row.number !== null && row.hash !== null) return follower
    const { at, isCut } = await this.#begin(row, view)
    await follower.begin(at)
    await this.#tellBegin(at.number, isCut)
    return follower
  }

  /** Where a person moved the checkpoint to, else where the source was first wanted. */
  async #begin(row: FollowerRow, view: SourceChain): Promise<StartingPoint> {
    const { deps, source } = this.#parts
    const head = await view.head()
    this.#see(head)
    if (row.number !== null) return { at: requireLink(await linkAtOrBelow(view, row.number)), isCut: false }
    await deps.listeners.refresh()
    const first = Math.min(head.number, row.state.firstHead ?? head.number)
    const point = await startingPoint(view, {
      target: Math.max(0, first - this.#confirmations),
      since: wantedSince(source, deps.listeners.index(source.fullname)),
      backMost: source.settings.maxQueuedBlocks ?? queuedDefault,
    })
    return { at: requireLink(point?.at), isCut: point?.isCut ?? false }
  }

  async #tellBegin(block: number, isCut: boolean): Promise<void> {
    const { report } = this.#parts
    if (!isCut) return report.log({ level: 'info', message: `Following from block ${block}`, details: { block } })
    const message = `Following from block ${block}. Earlier blocks that were wanted are skipped: "maxQueuedBlocks" allows no more`
    report.note = message
    await report.log({ level: 'warn', message, details: { block } })
  }

  get #confirmations(): number {
    return this.#parts.source.settings.confirmations ?? 0
  }

  #horizon() {
    return { head: this.#head?.number ?? 0, headAt: this.#headAt, finalized: this.#finalized }
  }

  /** Undefined when the chain moved under the step. */
  async #step(follower: Follower, chain: Chain, view: SourceChain): Promise<Step | undefined> {
    try {
      const head = await this.#lookAtHead(chain, view)
      return (await this.#skipIdle(follower, chain, view, head)) ?? (await follower.step(head))
    } catch (error) {
      if (error instanceof ChainMoved) return undefined
      const next = (follower.tip?.number ?? 0) + 1
      if (this.#head && this.#parts.patience.allows(next, error)) return { kind: 'short', head: this.#head }
      throw error
    }
  }

  async #lookAtHead(chain: Chain, view: SourceChain): Promise<SeenHead> {
    const announced = this.#parts.takeAnnounced()
    // What is announced of Solana are slots that nobody has confirmed yet.
    const head = announced && !chain.pace.skipsNumbers ? announced : await view.head()
    this.#see(head)
    return head
  }

  /** Whoever comes to listen now comes after the head was seen: the blocks up to it concern nobody. */
  async #skipIdle(follower: Follower, chain: Chain, view: SourceChain, head: SeenHead): Promise<Step | undefined> {
    const { deps, source } = this.#parts
    const target = head.number - this.#confirmations
    const behind = target - (follower.tip?.number ?? target)
    if (behind <= (chain.pace.skipsNumbers ? 0 : idleBlocks)) return undefined
    await deps.listeners.refresh()
    if (deps.listeners.index(source.fullname)) return undefined
    const at = await linkAtOrBelow(view, target)
    if (!at) return { kind: 'short', head }
    await follower.begin(at)
    return { kind: 'level', head }
  }

  #see(head: SeenHead): void {
    if (head.number !== this.#head?.number) this.#headAt = this.#parts.deps.clock()
    this.#head = head
    this.#parts.blockTime.see(head.number)
  }

  async #settle(step: Step, follower: Follower, chain: Chain, connection: LiveConnection): Promise<void> {
    const { report } = this.#parts
    const latestBlock = step.head.number
    const processedBlock = follower.tip?.number ?? 0
    const lag = Math.max(0, latestBlock - this.#confirmations - processedBlock)
    report.see({ latestBlock, processedBlock, lag, ...(this.#headAt && { headAt: this.#headAt.toISOString() }) })
    if (step.deep && !step.deep.isFromBeginning) await this.#tellDeep(step.deep)
    this.#calls.see(connection.report(), processedBlock)
    this.#requireNoTrouble(step, processedBlock)
    // A block that still cannot be read does not end an error.
    if (step.kind !== 'short' || report.state !== 'error') await this.#tellWell(lag, chain, connection)
    await this.#finalise(follower, chain, connection)
  }

  async #tellDeep({ from, to }: { from: number; to: number }): Promise<void> {
    const message =
      `A reorganisation went deeper than what can be taken back: alerts of blocks before ${from} may tell of what is ` +
      `on the chain no longer. Following goes on after block ${to}.`
    const line = { level: 'error' as const, message, details: { from, to } }
    await this.#parts.report.change('error', line, { message, code: 'source.deep_reorganisation' })
  }

  /** What a node shows now and then is weather; what it goes on showing is an error. */
  #requireNoTrouble({ kind, isBelow, head }: Step, processed: number): void {
    if (kind !== 'short' && !isBelow) {
      this.#troubleSince = undefined
      return
    }
    const now = this.#parts.deps.now()
    this.#troubleSince ??= now
    if (now - this.#troubleSince < patienceMs) return
    throw new UpstreamError(
      'failed',
      isBelow ? belowSentence(head.number, processed) : shortSentence(head.number, processed),
    )
  }

  async #tellWell(lag: number, { pace }: Chain, connection: LiveConnection): Promise<void> {
    const { report, recovered, blockTime } = this.#parts
    const limit = limitCause(connection.report(), this.#calls.perSecond(blockTime.usualMs))
    const before = recovered()
    const wasLagging = report.state === 'lagging'
    const { silentMs } = blockTime
    const { to, message } = standingOf({
      lag,
      laggingBeyond: pace.laggingBeyond,
      wasLagging,
      silentMs,
      limit,
    })
    if (report.state === to) return report.say(message)
    const news = before ? `Recovered after ${before.failures} failures in ${before.seconds} s` : (message ?? 'Running')
    await report.change(to, { level: to === 'lagging' ? 'warn' : 'info', message: news, details: { lag } }, { message })
  }

  async #finalise(follower: Follower, { pace }: Chain, connection: LiveConnection): Promise<void> {
    const { deps, held } = this.#parts
    const { tip } = follower
    if (!tip || performance.now() - this.#finalityAt < finalityEveryMs) return
    this.#finalityAt = performance.now()
    const finalized = (await pace.finalized?.(connection)) ?? tip.number - pace.replaceable
    this.#finalized = Math.max(0, Math.min(finalized, tip.number - 1))
    follower.forgetUpTo(this.#finalized)
    const undoneBefore = new Date(deps.clock().getTime() - undoneKeptMs)
    await deps.store.sourceBlocks.prune(held.source, this.#finalized, undoneBefore)
  }
}

/** Since when somebody wants the source's blocks; undefined while nobody listens. */
function wantedSince({ savedAt }: LiveSource, index: SourceIndex | undefined): number | undefined {
  return index && Math.max(savedAt.getTime(), index.since)
}

function requireLink(link: Link | undefined): Link {
  if (link) return link
  throw new UpstreamError('bad_answer', 'The node does not give its latest block.')
}

function optionsOf({ settings }: LiveSource) {
  const { blockProcessingConcurrency = 4, maxQueuedBlocks = queuedDefault, confirmations = 0 } = settings
  const queuedMost = Math.min(maxQueuedBlocks, aheadPerFetch * blockProcessingConcurrency)
  return { concurrency: blockProcessingConcurrency, queuedMost, confirmations, batchMost }
}

function belowSentence(head: number, processed: number): string {
  return (
    `The node is at block ${head}, and ${processed} was processed already: it is far behind, or its chain began anew. ` +
    'Reset the lag to go on from its head.'
  )
}

function shortSentence(head: number, processed: number): string {
  return `The node is at block ${head} and does not give the block that follows ${processed}.`
}
