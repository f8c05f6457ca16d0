import type { Held } from '../../store/followers.ts'
import { Follower, type SeenHead, type Step } from '../follow/index.ts'
import { type Fairness, LeaseLost } from '../ingest/index.ts'
import type { LiveSource } from '../listeners/index.ts'
import { type Chain, type LiveConnection, UpstreamError } from '../world.ts'
import { Polling } from './polling.ts'
import { ChainMoved, SourceChain } from './source-chain.ts'
import type { SourceReport } from './source-report.ts'
import { makeSink } from './source-sink.ts'
import { appliedOf, firstPoint, linkAtOrBelow } from './starting-point.ts'
import type { RuntimeWorld } from './world.ts'

export type PursuitParts = {
  world: RuntimeWorld
  source: LiveSource
  held: Held
  report: SourceReport
  fairness: Fairness
  isStopping(): boolean
  areHeadsTold(): boolean
  /** The latest head that a node told of by itself, once. */
  takeAnnounced(): SeenHead | undefined
  wait(ms: number): Promise<void>
  /** What was told of failures before, once. */
  recovered(): { failures: number; seconds: number } | undefined
}

/** Without anybody who listens, a source that is further behind than this goes to its head at once. */
const idleBlocks = 50
const batchMost = 16
const aheadPerFetch = 4
const shortFirstMs = 50
const finalityEveryMs = 10_000
const undoneKeptMs = 7 * 86_400_000
/** For so long a block may be missing, or a chain end below all that was processed, before it is an error. */
const patienceMs = 30_000

/** The steps of one source's follower, until somebody stops it or something fails. */
export class Pursuit {
  readonly #parts: PursuitParts
  readonly #polling = new Polling(() => performance.now())
  #head: SeenHead | undefined
  #headAt: Date | null = null
  #finalized: number | null = null
  #finalityAt = Number.NEGATIVE_INFINITY
  #troubleSince: number | undefined

  constructor(parts: PursuitParts) {
    this.#parts = parts
  }

  async follow(chain: Chain, connection: LiveConnection): Promise<void> {
    const { world, source, isStopping, wait } = this.#parts
    const view = new SourceChain(connection, chain.pace, () => world.listeners.index(source.fullname)?.parts ?? [])
    const follower = await this.#open(chain, view)
    for (let short = 0; !isStopping(); ) {
      const step = await this.#step(follower, chain, view)
      if (step) await this.#settle(step, follower, chain, connection)
      if (step?.kind === 'ahead') continue
      short = step?.kind === 'level' ? 0 : short + 1
      await wait(this.#waitMs(short))
    }
  }

  #waitMs(short: number): number {
    const pollMs = this.#polling.waitMs(this.#parts.areHeadsTold())
    return short > 0 ? Math.min(pollMs, shortFirstMs * 2 ** Math.min(short - 1, 8)) : pollMs
  }

  async #open(chain: Chain, view: SourceChain): Promise<Follower> {
    const { world, source, held, report } = this.#parts
    const row = await world.store.followers.find(held.source)
    if (row?.epoch !== held.epoch) throw new LeaseLost(held.source)
    this.#finalized = row.finalized
    const sink = makeSink({ ...this.#parts, chain, view }, () => this.#horizon())
    const applied = appliedOf(row, await world.store.sourceBlocks.listApplied(held.source))
    const follower = new Follower(view, sink, applied, optionsOf(source))
    if (row.number !== null && row.hash !== null) return follower
    this.#see(await view.head())
    const at =
      row.number === null
        ? await firstPoint(view, this.#horizon().head - this.#confirmations, source.savedAt)
        : await linkAtOrBelow(view, row.number)
    if (!at) throw new UpstreamError('failed', 'The node does not give its latest block.')
    await follower.begin(at)
    const details = { block: at.number }
    await report.log({ level: 'info', message: `Following from block ${at.number}`, details })
    return follower
  }

  get #confirmations(): number {
    return this.#parts.source.settings.confirmations ?? 0
  }

  #horizon() {
    return { head: this.#head?.number ?? 0, headAt: this.#headAt, finalized: this.#finalized }
  }

  /** Undefined when the chain moved under the step. */
  async #step(follower: Follower, chain: Chain, view: SourceChain): Promise<Step | undefined> {
    const announced = this.#parts.takeAnnounced()
    // What is announced of Solana are slots that nobody has confirmed yet.
    const head = announced && !chain.pace.skipsNumbers ? announced : await view.head()
    this.#see(head)
    try {
      return (await this.#skipIdle(follower, chain, view, head)) ?? (await follower.step(head))
    } catch (error) {
      if (error instanceof ChainMoved) return undefined
      throw error
    }
  }

  /** Whoever comes to listen now comes after the head was seen: the blocks up to it concern nobody. */
  async #skipIdle(follower: Follower, chain: Chain, view: SourceChain, head: SeenHead): Promise<Step | undefined> {
    const { world, source } = this.#parts
    const target = head.number - this.#confirmations
    const behind = target - (follower.tip?.number ?? target)
    if (behind <= (chain.pace.skipsNumbers ? 0 : idleBlocks)) return undefined
    await world.listeners.refresh()
    if (world.listeners.index(source.fullname)) return undefined
    const at = await linkAtOrBelow(view, target)
    if (!at) return { kind: 'short', head }
    await follower.begin(at)
    return { kind: 'level', head }
  }

  #see(head: SeenHead): void {
    if (head.number !== this.#head?.number) this.#headAt = this.#parts.world.clock()
    this.#head = head
    this.#polling.see(head.number)
  }

  async #settle(step: Step, follower: Follower, chain: Chain, connection: LiveConnection): Promise<void> {
    const { report } = this.#parts
    const latestBlock = step.head.number
    const processedBlock = follower.tip?.number ?? 0
    const lag = Math.max(0, latestBlock - this.#confirmations - processedBlock)
    report.see({ latestBlock, processedBlock, lag, ...(this.#headAt && { headAt: this.#headAt.toISOString() }) })
    if (step.deep && !step.deep.isFromBeginning) await this.#tellDeep(step.deep)
    this.#requireNoTrouble(step, processedBlock)
    await this.#tellWell(lag, chain)
    await this.#finalise(follower, chain, connection)
  }

  async #tellDeep({ from, to }: { from: number; to: number }): Promise<void> {
    const message =
      `A reorganisation went deeper than what can be taken back: alerts of blocks before ${from} may tell of what is ` +
      `on the chain no longer. Following goes on after block ${to}.`
    const line = { level: 'error' as const, message, details: { from, to } }
    await this.#parts.report.change('error', line, 'source.deep_reorganisation')
  }

  /** What a node shows now and then is weather; what it goes on showing is an error. */
  #requireNoTrouble({ kind, isBelow, head }: Step, processed: number): void {
    if (kind !== 'short' && !isBelow) {
      this.#troubleSince = undefined
      return
    }
    this.#troubleSince ??= performance.now()
    if (performance.now() - this.#troubleSince < patienceMs) return
    throw new UpstreamError(
      'failed',
      isBelow ? belowSentence(head.number, processed) : shortSentence(head.number, processed),
    )
  }

  async #tellWell(lag: number, { pace }: Chain): Promise<void> {
    const { report, recovered } = this.#parts
    const before = recovered()
    const isLagging = lag > (report.state === 'lagging' ? pace.laggingBeyond / 2 : pace.laggingBeyond)
    const to = isLagging ? 'lagging' : 'running'
    if (report.state === to) return
    const news = isLagging ? `${lag} blocks behind the head` : 'Running'
    const message = before ? `Recovered after ${before.failures} failures in ${before.seconds} s` : news
    await report.change(to, { level: isLagging ? 'warn' : 'info', message, details: { lag } })
  }

  async #finalise(follower: Follower, { pace }: Chain, connection: LiveConnection): Promise<void> {
    const { world, held } = this.#parts
    const { tip } = follower
    if (!tip || performance.now() - this.#finalityAt < finalityEveryMs) return
    this.#finalityAt = performance.now()
    const finalized = (await pace.finalized?.(connection)) ?? tip.number - pace.replaceable
    this.#finalized = Math.max(0, Math.min(finalized, tip.number - 1))
    follower.forgetUpTo(this.#finalized)
    const undoneBefore = new Date(world.clock().getTime() - undoneKeptMs)
    await world.store.sourceBlocks.prune(held.source, this.#finalized, undoneBefore)
  }
}

function optionsOf({ settings }: LiveSource) {
  const { blockProcessingConcurrency = 4, maxQueuedBlocks = 10_000, confirmations = 0 } = settings
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
