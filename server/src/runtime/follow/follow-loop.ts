import type { ChainHead, Link } from '../../engine/follow-core/chain.ts'
import { Follower, type Step } from '../../engine/follow-core/follower.ts'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import type { Chain } from '../../engine/sources/chain.ts'
import type { LiveConnection } from '../../engine/sources/connection.ts'
import { type FollowerRow, LeaseLost } from '../../store/following/followers.ts'
import type { LiveSource } from '../listeners/live-source.ts'
import type { SourceIndex } from '../listeners/source-index.ts'
import { FactoryLearning } from './factory-learning.ts'
import { type FollowContext, type FollowLoopOptions, Progress } from './follow-context.ts'
import { Histories } from './history/histories.ts'
import { ChainMoved, SourceChain } from './source-chain.ts'
import type { SourceReport } from './source-report.ts'
import { SourceSink } from './source-sink.ts'
import { appliedOf, linkAtOrBelow, type StartingPoint, startingPoint } from './starting-point.ts'
import { StepReport } from './step-report.ts'
import { WaitingAlerts } from './waiting-alerts.ts'

/** A source without listeners that is further behind than this jumps to its head. */
const idleBlocksMax = 50
/** The first wait after a step that found the next block missing; it doubles with each further such step. */
const shortWaitMs = 50
/** The first block is read again about twice a second: as often as after this many steps that found a block missing. */
const firstBlockAttempts = 4
/** The grace period counts by block number, and the number of the first block is not known before it is read. */
const firstBlock = -1

/**
 * Follows one source. It opens the follower at the checkpoint, then repeats: read the head, let the follower take one
 * step (apply the next blocks or undo replaced ones), report the result, wait for the next head.
 *
 * A step ends as `ahead` (more blocks are ready: no wait), `level` (at the head: wait for the next head) or `short` (the
 * next block is not readable yet: wait a little, longer each time). After a failure of the nodes the loop waits and goes on;
 * what was read ahead is kept. Any other error ends the loop; the source run starts a new one from the stored checkpoint.
 */
export class FollowLoop {
  readonly #context: FollowContext
  readonly #finality: Finality
  readonly #waiting: WaitingAlerts
  readonly #stepReport: StepReport
  readonly sink: SourceSink
  readonly histories: Histories
  readonly learning: FactoryLearning
  #follower: Follower | undefined
  /** When the node was asked for the head of the current step; undefined if the node announced it. */
  #askedAt: Date | undefined

  constructor(options: FollowLoopOptions, chain: Chain, connection: LiveConnection) {
    const { deps, source } = options
    const view = new SourceChain(connection, chain.pace, () => deps.listeners.index(source.fullname)?.wanted)
    const learnFactories = () => this.learning.start()
    this.#context = { ...options, chain, connection, view, progress: new Progress(deps.clock), learnFactories }
    this.#finality = new Finality(this.#context)
    this.#waiting = new WaitingAlerts(this.#context)
    this.#stepReport = new StepReport(this.#context)
    this.sink = new SourceSink(this.#context)
    this.histories = new Histories(this.#context, this.sink)
    this.learning = new FactoryLearning(this.#context)
  }

  async run(): Promise<void> {
    this.#follower = await this.#open()
    try {
      if (this.#follower) await this.#follow(this.#follower)
    } finally {
      this.#follower?.close()
    }
  }

  /** A batch that waits for its turn is not applied any more. */
  abandon(): void {
    this.#follower?.close()
  }

  async #follow(follower: Follower): Promise<void> {
    const { isStopping, noteStep } = this.#context
    this.histories.start()
    this.learning.start()
    for (let shortSteps = 0; !isStopping(); ) {
      this.sink.requireSaved()
      const step = await this.#stepAndReport(follower)
      noteStep()
      if (step === 'failed') continue
      if (step?.kind === 'ahead') continue
      shortSteps = step?.kind === 'level' ? 0 : shortSteps + 1
      await this.#waitForHead(follower, this.#waitMs(shortSteps))
    }
  }

  async #stepAndReport(follower: Follower): Promise<Step | 'failed' | undefined> {
    const { noteProgress, handleFailure } = this.#context
    try {
      const step = await this.#step(follower)
      if (!step) return undefined
      await this.#stepReport.record(step, follower)
      this.#noteRead(step, follower)
      noteProgress()
      if (step.kind !== 'short') await this.#waiting.release(follower, step.kind === 'level')
      await this.#finality.update(follower, this.#waiting.lowest)
      await this.histories.earlierBlocks.add(follower)
      return step
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      await handleFailure(error)
      return 'failed'
    }
  }

  /** Alerts that are announced as waiting meanwhile may be released at once, and need no new head. */
  async #waitForHead(follower: Follower, ms: number): Promise<void> {
    const { deps, isStopping, hasAnnounced, wait } = this.#context
    const endsAt = deps.now() + ms
    for (let leftMs = ms; leftMs > 0 && !isStopping(); leftMs = endsAt - deps.now()) {
      await wait(leftMs)
      if (hasAnnounced() !== 'waiting alerts') return
      await this.#waiting.release(follower, true)
    }
  }

  /** The first block may not be readable yet. Undefined when the source is stopped meanwhile. */
  async #open(): Promise<Follower | undefined> {
    const { gracePeriod, isStopping, wait } = this.#context
    while (!isStopping())
      try {
        return await openFollower(this.#context, this.sink)
      } catch (error) {
        if (!gracePeriod.allowsRetry(firstBlock, error)) throw error
        await wait(this.#waitMs(firstBlockAttempts))
      }
    return undefined
  }

  #waitMs(shortSteps: number): number {
    const { polling, announced, areHeadsAnnounced } = this.#context
    const nextMs = areHeadsAnnounced() ? announced.leftMs : polling.nextMs
    return shortSteps > 0 ? Math.min(nextMs, shortWaitMs * 2 ** Math.min(shortSteps - 1, 8)) : nextMs
  }

  /** Undefined when the chain changed during the step. */
  async #step(follower: Follower): Promise<Step | undefined> {
    const { progress, gracePeriod } = this.#context
    try {
      const head = await this.#readHead()
      return (await this.#skipIdle(follower, head)) ?? (await follower.step(head))
    } catch (error) {
      if (error instanceof ChainMoved) return undefined
      const next = (follower.tip?.number ?? 0) + 1
      if (progress.head && gracePeriod.allowsRetry(next, error)) return { kind: 'short', head: progress.head }
      throw error
    }
  }

  /**
   * The node was asked for its head, and every block up to it is applied. An announced head may be old, and with
   * `confirmations` the newest blocks are not applied. A chain with a regular block time that makes no block any longer was
   * probably not read to its end: the node may be stuck. After a minute it counts as a chain that makes no blocks.
   */
  #noteRead({ kind, head, isBelow }: Step, follower: Follower): void {
    const { progress, source, blockTime } = this.#context
    const isRead = kind === 'level' && !isBelow && head.number >= (follower.tip?.number ?? 0)
    if (isRead && !source.settings.confirmations && !blockTime.isLate && this.#askedAt) progress.readAt = this.#askedAt
  }

  async #readHead(): Promise<ChainHead> {
    const { deps, chain, view, progress, blockTime, polling, announced } = this.#context
    const hint = announced.take()
    this.#askedAt = undefined
    const askedAt = deps.clock()
    // Solana announces slots before they are confirmed, so its head is always read.
    const mayUse = hint !== undefined && !chain.pace.skipsNumbers
    const own = mayUse && announced.leftMs > 0 ? undefined : await view.head()
    // Another node of the same address may not have the announced block yet.
    const head = own && !(mayUse && hint.number > own.number) ? own : (hint ?? (await view.head()))
    if (head === own) this.#askedAt = askedAt
    announced.record(head, own !== undefined)
    progress.setHead(head)
    blockTime.recordHead(head.number)
    polling.recordHead(head.number)
    return head
  }

  /** A listener that comes later wants only blocks after the head that was just read, so the blocks up to it are skipped. */
  async #skipIdle(follower: Follower, head: ChainHead): Promise<Step | undefined> {
    const { deps, source, chain, view } = this.#context
    const target = head.number - (source.settings.confirmations ?? 0)
    const behind = target - (follower.tip?.number ?? target)
    if (behind <= (chain.pace.skipsNumbers ? 0 : idleBlocksMax)) return undefined
    await deps.listeners.refresh()
    if (deps.listeners.index(source.fullname) || deps.listeners.histories(source.fullname).length > 0) return undefined
    const at = await linkAtOrBelow(view, target)
    if (!at) return { kind: 'short', head }
    await follower.begin(at)
    return { kind: 'level', head }
  }
}

const updateEveryMs = 10_000
/** Final blocks are deleted when there are this many, so that following a quiet chain costs few transactions. */
const pruneBlocks = 64
/** The most blocks that are kept for alerts that wait. */
const keptMax = 10_000
const undoneKeptMs = 7 * 86_400_000

/** Keeps the finalized block up to date and deletes stored blocks that the chain can no longer replace. */
class Finality {
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

/** The blocks of one commit. Their matches and jobs are in memory together, and take several times the bytes of the blocks. */
const [batchMax, batchBytesMax] = [16, 2_000_000]
const queuedDefault = 10_000
/** Blocks that are fetched ahead, for each fetch that may run at once. */
const aheadPerFetch = 4

/** Opens the follower at the stored checkpoint. A source without one begins at its starting point. */
async function openFollower(context: FollowContext, sink: SourceSink): Promise<Follower> {
  const { deps, source, lease, view, progress, report } = context
  const row = await deps.store.followers.find(lease.source)
  if (row?.epoch !== lease.epoch) throw new LeaseLost(lease.source)
  progress.finalized = row.finalized
  const applied = appliedOf(row, await deps.store.sourceBlocks.listApplied(lease.source))
  const follower = new Follower(view, sink, applied, { ...optionsOf(source), memory: context.memory })
  if (row.number !== null && row.hash !== null) return follower
  const { at, isCut } = await findBeginning(context, row)
  await follower.begin(at)
  await reportBeginning(report, at.number, isCut)
  return follower
}

/** The block to which a person moved the checkpoint; else the last block before the source was first wanted. */
async function findBeginning(context: FollowContext, row: FollowerRow): Promise<StartingPoint> {
  const { deps, source, view, progress, blockTime } = context
  const head = await view.head()
  progress.setHead(head)
  blockTime.recordHead(head.number)
  if (row.number !== null) return { at: requireLink(await linkAtOrBelow(view, row.number)), isCut: false }
  await deps.listeners.refresh()
  const firstHead = Math.min(head.number, row.state.firstHead ?? head.number)
  const point = await startingPoint(view, {
    target: Math.max(0, firstHead - (source.settings.confirmations ?? 0)),
    since: wantedSince(source, deps.listeners.index(source.fullname)),
    backMax: source.settings.maxQueuedBlocks ?? queuedDefault,
  })
  return { at: requireLink(point?.at), isCut: point?.isCut ?? false }
}

async function reportBeginning(report: SourceReport, block: number, isCut: boolean): Promise<void> {
  if (!isCut) return report.log({ level: 'info', message: `Following from block ${block}`, details: { block } })
  const message = `Following from block ${block}. Earlier blocks that were wanted are skipped: "maxQueuedBlocks" allows no more`
  report.runningMessage = message
  await report.log({ level: 'warn', message, details: { block } })
}

/** The time from which listeners want the source's blocks; undefined while the source has no listeners. */
function wantedSince({ savedAt }: LiveSource, index: SourceIndex | undefined): number | undefined {
  return index && Math.max(savedAt.getTime(), index.since)
}

function requireLink(link: Link | undefined): Link {
  if (link) return link
  throw new UpstreamError('bad_answer', 'The node does not return its latest block.')
}

function optionsOf({ settings }: LiveSource) {
  const { blockProcessingConcurrency = 4, maxQueuedBlocks = queuedDefault, confirmations = 0 } = settings
  const queuedMax = Math.min(maxQueuedBlocks, aheadPerFetch * blockProcessingConcurrency)
  return { concurrency: blockProcessingConcurrency, queuedMax, confirmations, batchMax, batchBytesMax }
}
