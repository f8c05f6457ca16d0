import { Lookahead } from '../../../engine/follow-core/lookahead.ts'
import { UpstreamError } from '../../../engine/outbound/upstream-error.ts'
import { networkOf } from '../../../engine/sources/bindings.ts'
import type { ChainBlock } from '../../../engine/sources/block.ts'
import type { HistoryRow } from '../../../store/alerts/histories.ts'
import type { Feed, History } from '../../listeners/live-trigger.ts'
import { SourceIndex } from '../../listeners/source-index.ts'
import { FactoryMembers } from '../factory-members.ts'
import type { FollowContext } from '../follow-context.ts'
import { matchBlock } from '../match-block.ts'
import { ChainMoved, SourceChain } from '../source-chain.ts'
import type { SourceSink } from '../source-sink.ts'
import { commitHistory, endHistory, type ReadBlocks } from './commit-history.ts'
import type { EarlierBlocks } from './earlier-blocks.ts'

/** The blocks of one commit and one job. */
const [batchMax, batchBytesMax] = [64, 4_000_000]
/** The blocks that are read ahead. */
const aheadMax = 128
/** So many jobs may wait for their evaluation; no further blocks are read meanwhile. */
const jobsMax = 4
/** A history whose blocks cannot be read for this time has failed. An outage of the nodes is usually shorter. */
const failedAfterMs = 10 * 60_000
const retryMs = 1_000
/** The pause of a history that waits for the follower (`HeadWait`). */
const headPauseMs = 250

/** The history of one subscription. Each step does one thing: it reads a batch of blocks, or hands over to the live follower. */
export class HistoryRun {
  readonly #context: FollowContext
  readonly #sink: SourceSink
  readonly #earlier: EarlierBlocks
  #history: History | undefined
  #index: SourceIndex
  readonly #chain: SourceChain
  readonly #lookahead: Lookahead
  readonly #factories: FactoryMembers
  readonly #headWait: HeadWait
  /** The last blocks of the jobs that this run has queued. */
  #jobs: number[] = []
  #generation = -1
  #failingSince: number | undefined
  /** No step before this time. */
  #nextStepAt = 0

  constructor(context: FollowContext, sink: SourceSink, earlier: EarlierBlocks) {
    this.#context = context
    this.#sink = sink
    this.#earlier = earlier
    const { connection, chain, source, memory } = context
    this.#index = new SourceIndex(source.fullname)
    this.#factories = new FactoryMembers(context)
    this.#headWait = new HeadWait(context.deps.now)
    this.#chain = new SourceChain(connection, chain.pace, () => this.#index.wanted)
    this.#lookahead = new Lookahead((number) => this.#chain.block(number), {
      concurrency: source.settings.blockProcessingConcurrency ?? 4,
      queuedMax: aheadMax,
      memory,
    })
  }

  /** Frees the memory of blocks that were read ahead. */
  close(): void {
    this.#lookahead.drop()
  }

  /** True if the step did something. Errors of the node are repeated, and end the history when they last. */
  async step(history: History): Promise<boolean> {
    const { deps } = this.#context
    if (deps.now() < this.#nextStepAt) return false
    try {
      this.#use(history)
      const hasWorked = await this.#step(history.subscriptionId)
      this.#failingSince = undefined
      return hasWorked
    } catch (error) {
      if (error instanceof ChainMoved) return false
      if (!(error instanceof UpstreamError)) throw error
      await this.#handleFailure(history.subscriptionId, error)
      return false
    }
  }

  /** An edit of the trigger or the subscription makes new objects, and the blocks are matched with them from then on. */
  #use(history: History): void {
    const isSame = ({ trigger, listener }: History['parts'][number], at: number) => {
      const known = this.#history?.parts[at]
      return known?.trigger === trigger && known.listener === listener
    }
    if (this.#history?.parts.length === history.parts.length && history.parts.every(isSame)) return
    this.#history = history
    const { source, report } = this.#context
    this.#index = new SourceIndex(source.fullname)
    this.#index.network = networkOf({ ...source, isBuiltIn: source.id === null }, report.runtime)
    this.#lookahead.drop()
    this.#factories.reset()
    for (const { trigger, listener } of history.parts) {
      const { history: _history, ...live } = listener
      const feed = withOwnMembers(trigger.feed)
      this.#index.addTrigger({ ...trigger, feed, listeners: new Map([[live.key, live]]), hasDependents: false })
    }
  }

  async #step(subscriptionId: string): Promise<boolean> {
    const { deps, lease } = this.#context
    const row = await deps.store.histories.find(subscriptionId)
    if (row?.state !== 'running') {
      await deps.listeners.refresh()
      return false
    }
    if (row.generation !== this.#generation) this.#forget(row)
    this.#jobs = this.#jobs.filter((upTo) => upTo > row.done)
    if (this.#history?.parts.length === 0)
      return (
        row.queued <= row.done &&
        this.#end(row, 'failed', 'No trigger of the subscription reads the source any longer.')
      )
    const checkpoint = (await deps.store.followers.find(lease.source))?.number ?? -1
    if (row.fetched < checkpoint) return this.#jobs.length < jobsMax && this.#read(row, checkpoint)
    if (row.fetched !== checkpoint || row.queued > row.done) return false
    if (!this.#headWait.mustWait(row, this.#context.progress.horizon.head)) return this.#end(row, 'done', null)
    this.#nextStepAt = deps.now() + headPauseMs
    return false
  }

  #forget({ generation, queued, done }: HistoryRow): void {
    this.#generation = generation
    this.#jobs = queued > done ? [queued] : []
    this.#lookahead.drop()
    this.#factories.reset()
  }

  async #read(row: HistoryRow, checkpoint: number): Promise<boolean> {
    this.#earlier.require(row.fetched + 1)
    const missing = await this.#factories.readMissing(this.#index, row.fetched + 1)
    if (missing !== 'level') return missing === 'read'
    this.#lookahead.setRange(row.fetched + 1, checkpoint)
    const bytes = await this.#lookahead.wait()
    return this.#context.memory.runBatch(() => this.#readNext(row), { bytes, isAtHead: false })
  }

  async #readNext(row: HistoryRow): Promise<boolean> {
    const { chain, source, isStopping } = this.#context
    if (isStopping()) return false
    const taken = await this.#lookahead.take(batchMax, batchBytesMax)
    const upTo = taken.at(-1)?.number
    if (upTo === undefined) return false
    const blocks = taken.flatMap(({ number, block }) => this.#requireReadable(number, block))
    const matched = blocks.map((block) => {
      // Contracts that a later block creates do not count yet.
      this.#factories.learn(block)
      return { block, matches: matchBlock(block, chain.items, this.#index) }
    })
    const read: ReadBlocks = { row, source: source.fullname, matched, upTo }
    try {
      if (await commitHistory(this.#context, read)) this.#jobs.push(upTo)
    } catch (error) {
      this.#lookahead.drop()
      // The blocks may show contracts that are not on the chain.
      this.#factories.reset()
      throw error
    }
    return true
  }

  /** A block that is missing or lacks a part would look as if nothing had happened in it. */
  #requireReadable(number: number, block: ChainBlock | undefined): ChainBlock[] {
    if (!block && this.#chain.skipsNumbers) return []
    if (!block) throw new UpstreamError('bad_answer', `The node does not return block ${number}.`)
    const [lacking] = block.unreadable ?? []
    if (lacking) throw new UpstreamError('bad_answer', `Block ${number} cannot be read: ${lacking.reason}`)
    return [block]
  }

  #end(row: HistoryRow, state: 'done' | 'failed', reason: string | null): Promise<boolean> {
    const triggers = (this.#history?.parts ?? []).map(({ trigger }) => trigger.id)
    const end = { ...row, state, reason }
    return this.#sink.handOver((checkpoint) => endHistory(this.#context, end, triggers, checkpoint))
  }

  async #handleFailure(subscriptionId: string, error: UpstreamError): Promise<void> {
    const { deps } = this.#context
    this.#failingSince ??= deps.now()
    this.#nextStepAt = deps.now() + retryMs
    if (deps.now() - this.#failingSince < failedAfterMs) return
    const row = await deps.store.histories.find(subscriptionId)
    if (row?.state === 'running' && row.queued <= row.done) await this.#end(row, 'failed', error.message)
  }
}

/** The members that the live follower knows are read again after a reorg, and may lack those of old blocks meanwhile. */
function withOwnMembers(feed: Feed): Feed {
  if (feed.kind !== 'source') return feed
  const sources = feed.sources.map((bound) => (bound.members ? { ...bound, members: new Set<string>() } : bound))
  return { ...feed, sources }
}

/** A head that the follower has not seen after this time is not on the chain that it follows. */
const lateMs = 60_000

/**
 * A history does not end before the head of the chain when its subscription began: the follower may not have applied that
 * block yet, and it is a past one. The head may also never come: the node was wrong, or the chain became shorter.
 */
export class HeadWait {
  readonly #now: () => number
  #missingSince: number | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  /** `head` is the latest one that the follower has seen. Blocks up to it will be applied, however long that takes. */
  mustWait({ fetched, to }: Pick<HistoryRow, 'fetched' | 'to'>, head: number): boolean {
    if (fetched >= to) return false
    if (head >= to) {
      this.#missingSince = undefined
      return true
    }
    this.#missingSince ??= this.#now()
    return this.#now() - this.#missingSince < lateMs
  }
}
