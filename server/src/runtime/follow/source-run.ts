import { waitAtMost } from '../../engine/base/deadline.ts'
import { Mutex } from '../../engine/base/mutex.ts'
import type { ChainHead } from '../../engine/follow-core/chain.ts'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import type { HeadStream, LiveConnection } from '../../engine/sources/connection.ts'
import { makeWakeSignal } from '../../store/core/wake-signal.ts'
import { type FollowerLease, type FollowerRow, LeaseLost } from '../../store/following/followers.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { LiveSource } from '../listeners/live-source.ts'
import { causeOf, Failures, LastingTrouble } from './failures.ts'
import type { FollowLoopOptions, SharedBySources, Trouble } from './follow-context.ts'
import { FollowLoop } from './follow-loop.ts'
import type { RunState } from './minute-samples.ts'
import { AnnouncedHeads } from './pace/announced-heads.ts'
import { BlockTime } from './pace/block-time.ts'
import { HeadPolling } from './pace/polling.ts'
import { ReadGracePeriod } from './pace/read-grace-period.ts'
import type { Unsaved } from './save-progress.ts'
import { type SavedReport, SourceReport } from './source-report.ts'
import { UnprovenBlocks } from './unproven-blocks.ts'
import { storeFirstHead, verifyRevision } from './verify-source.ts'

const stopMs = 3_000
/** A follower waits for an endpoint that limits its calls, because the blocks are needed in any case. */
const limitWaitMs = 60_000
/** A step that has lasted this long while every endpoint fails is an outage. */
const lateAgainMs = 10 * 60_000
const [stallMaxMs, lookForStallMs] = [20_000, 5_000]

/**
 * Follows one source under one lease, until the lease is lost or the supervisor stops the run. It connects, verifies the
 * endpoints, and runs the follow loop. It reports failures of the nodes, which the loop survives. When the loop itself fails,
 * the run waits and starts a new loop from what the store holds: a commit whose answer was lost may have succeeded.
 */
export class SourceRun {
  readonly source: LiveSource
  readonly lease: FollowerLease
  readonly report: SourceReport
  readonly #deps: RuntimeDeps
  readonly #shared: SharedBySources
  readonly #wakeSignal = makeWakeSignal()
  readonly #failures = new Failures(() => performance.now())
  readonly #blockTime: BlockTime
  readonly #polling: HeadPolling
  readonly #gracePeriod: ReadGracePeriod
  readonly #trouble: Trouble = { since: undefined, processed: undefined }
  readonly #reporting = new Mutex()
  #steppedAt = 0
  #isLateTold = false
  #lateToldAt = Number.NEGATIVE_INFINITY
  readonly #unproven: UnprovenBlocks
  #isStopping = false
  #isOver = false
  #onProgress: () => void = () => undefined
  readonly #announced: AnnouncedHeads
  #hasAnnouncedWaiting = false
  #stream: HeadStream | undefined
  #loop: FollowLoop | undefined
  #connection: LiveConnection | undefined
  #done: Promise<void> = Promise.resolve()

  constructor(deps: RuntimeDeps, source: LiveSource, row: FollowerRow, shared: SharedBySources, saved: SavedReport) {
    this.#deps = deps
    this.source = source
    this.lease = { source: row.source, epoch: row.epoch }
    this.report = new SourceReport(deps, source, this.lease, saved)
    this.#shared = shared
    this.#blockTime = new BlockTime(deps.now)
    this.#announced = new AnnouncedHeads(deps.now)
    this.#polling = new HeadPolling(this.#blockTime, deps.now)
    this.#unproven = new UnprovenBlocks(deps.now)
    this.#gracePeriod = new ReadGracePeriod(this.#blockTime, deps.now)
  }

  /** True once the run has ended, for example because the lease was lost. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Resolves at the end of the run. `onProgress` is called when there may be something to save. */
  start(onProgress: () => void): Promise<void> {
    this.#onProgress = onProgress
    const stallTimer = setInterval(() => void this.#tellStall(), lookForStallMs)
    this.#done = this.#run()
      .catch((error: unknown) =>
        this.#deps.log.error(
          { source: this.source.fullname, error: String(error) },
          'source run failed; the source will be taken again',
        ),
      )
      .finally(() => {
        clearInterval(stallTimer)
        this.#isOver = true
      })
    return this.#done
  }

  /** Locks what the run has not stored yet, for a common commit; see `save-progress.ts`. */
  tryLockUnsaved(): Unsaved | undefined {
    const held = this.#loop?.sink.tryLockHeld()
    const report = this.report.unsaved(this.#loop?.sink.storedReadAt() ?? null)
    return held || report ? { held, report } : undefined
  }

  state(): RunState {
    const { state: status, runtime } = this.report
    return { source: this.source.fullname, status, runtime, endpoints: this.#connection?.report() ?? [] }
  }

  /** Starts the histories of the source that do not run yet. */
  startHistories(): void {
    this.#loop?.histories.start()
  }

  /** A trigger of the source has a factory whose earlier blocks are not read yet. */
  learnFactories(): void {
    this.#loop?.learning.start()
  }

  /** A process recorded alerts of this source that wait for the finality of their block. */
  noteWaitingAlerts(): void {
    this.#hasAnnouncedWaiting = true
    this.#wakeSignal.wake()
  }

  /** Starts no further work. A commit that is under way fails if the lease is lost. */
  abandon(): void {
    this.#isStopping = true
    this.#loop?.abandon()
    this.#wakeSignal.wake()
  }

  async stop(): Promise<void> {
    this.abandon()
    await waitAtMost(this.#done, stopMs)
  }

  async #run(): Promise<void> {
    let connection: LiveConnection | undefined
    this.#steppedAt = performance.now()
    while (!this.#isStopping) {
      try {
        const chain = await this.#deps.engine.chain(this.source.kind)
        connection ??= await this.#connect()
        this.#connection = connection
        // After a failure one cheap call shows first if the nodes answer.
        if (this.#failures.count > 0) await connection.head()
        await storeFirstHead(this.#deps, this.lease, connection)
        await verifyRevision(this.#deps, this.source, this.lease, this.report)
        this.#loop = new FollowLoop(this.#loopOptions(), chain, connection)
        await this.#loop.run()
        await this.#loop.learning.close()
        await this.#loop.histories.close()
        await this.#loop.sink.flush()
      } catch (error) {
        await this.#loop?.sink.close()
        await this.#loop?.learning.close()
        await this.#loop?.histories.close()
        if (error instanceof LeaseLost) break
        await this.#handleFailure(error)
      }
    }
    this.#stream?.close()
    await connection?.close()
  }

  #loopOptions(): FollowLoopOptions {
    return {
      ...this.#shared,
      deps: this.#deps,
      source: this.source,
      lease: this.lease,
      report: this.report,
      isStopping: () => this.#isStopping,
      areHeadsAnnounced: () => this.#stream?.isUp === true && !this.#announced.isLate,
      announced: this.#announced,
      hasAnnounced: () => {
        if (this.#announced.hasNew) return 'head'
        return this.#hasAnnouncedWaiting ? 'waiting alerts' : undefined
      },
      takeAnnouncedWaiting: () => {
        const hasAnnounced = this.#hasAnnouncedWaiting
        this.#hasAnnouncedWaiting = false
        return hasAnnounced
      },
      wait: (ms) => this.#wakeSignal.wait(ms),
      wake: () => this.#wakeSignal.wake(),
      noteProgress: () => this.#onProgress(),
      blockTime: this.#blockTime,
      polling: this.#polling,
      gracePeriod: this.#gracePeriod,
      trouble: this.#trouble,
      isFailing: () => this.#failures.count > 0,
      handleFailure: (error) => this.#handleFailure(error),
      noteStep: () => {
        this.#steppedAt = performance.now()
      },
      unproven: this.#unproven,
      endFailures: () => this.#failures.end(),
    }
  }

  async #connect(): Promise<LiveConnection> {
    const { engine, log } = this.#deps
    const { batchMaxCount } = this.source.settings
    const connection = await engine.connect(this.source.address(), {
      ...(batchMaxCount !== undefined && { batchMaxCount }),
      limitWaitMs,
      onNotice: ({ level, message, code, host }) => {
        const onFailure = (error: unknown) =>
          log.warn({ source: this.source.fullname, error: String(error) }, 'source log line was not stored')
        this.report.log({ level, message, details: { code, host } }).catch(onFailure)
      },
    })
    const onHead = (head: ChainHead, from: number) => {
      const wasLate = this.#announced.isLate
      this.#announced.announce(head)
      if (this.#announced.isLate !== wasLate) this.#tellLateHeads(connection.report()[from]?.host ?? '', head)
      if (this.#announced.hasNew) this.#wakeSignal.wake()
    }
    this.#stream = connection.heads({ onHead })
    return connection
  }

  /** A socket that is late now and then is told once in ten minutes. */
  #tellLateHeads(host: string, head: ChainHead): void {
    const { isLate, known } = this.#announced
    const now = performance.now()
    if (isLate && now - this.#lateToldAt < lateAgainMs) return
    if (!isLate && !this.#isLateTold) return
    this.#isLateTold = isLate
    if (isLate) this.#lateToldAt = now
    const message = isLate
      ? `${host} announces blocks late: it announced block ${head.number} when block ${known} was known. Until it is in ` +
        'time, new blocks are found by reading the head.'
      : `${host} announces blocks in time again.`
    const onFailure = (error: unknown) =>
      this.#deps.log.warn({ source: this.source.fullname, error: String(error) }, 'source log line was not stored')
    this.report.log({ level: isLate ? 'warn' : 'info', message, details: { host } }).catch(onFailure)
  }

  async #handleFailure(error: unknown): Promise<void> {
    const { log } = this.#deps
    if (!(error instanceof UpstreamError))
      log.warn({ source: this.source.fullname, error: String(error) }, 'following failed; it will be retried')
    const retryDelayMs = await this.#report(error)
    this.#steppedAt = performance.now()
    await this.#pause(retryDelayMs)
  }

  /** Calls may wait long for their endpoint, and a step with them. The loop goes on, but the outage is told. */
  async #tellStall(): Promise<void> {
    const seconds = Math.floor((performance.now() - this.#steppedAt) / 1000)
    if (this.#isStopping || seconds * 1000 < stallMaxMs) return
    const reasons = this.#connection?.report().map(({ failure }) => failure) ?? []
    if (reasons.length === 0 || reasons.includes(undefined)) return
    const causes = [...new Set(reasons)].join(' ')
    await this.#report(new LastingTrouble(`The endpoints have not answered for ${seconds} s. ${causes}`))
  }

  /** Records a failure, and stores and logs its cause if it is new. Returns how long to wait before the next attempt. */
  #report(error: unknown): Promise<number> {
    return this.#reporting.run(async () => {
      const { retryDelayMs, line, isError, code, message } = this.#failures.record(error)
      const { report } = this
      try {
        if (isError && report.state !== 'error')
          await report.changeStatus('error', line ?? { level: 'error', message }, { message, code })
        else if (line) await report.log(line)
        if (isError && causeOf(report.message ?? '') !== causeOf(message)) {
          report.setMessage(message, code)
          this.#onProgress()
        }
      } catch (failure) {
        if (failure instanceof LeaseLost) this.abandon()
        else {
          this.#failures.markUnlogged()
          const fields = { source: this.source.fullname, error: String(failure) }
          this.#deps.log.warn(fields, 'source failure was not stored')
        }
      }
      return retryDelayMs
    })
  }

  /** An announced head does not shorten the pause; a stop does. */
  async #pause(ms: number): Promise<void> {
    const endsAt = performance.now() + ms
    for (let left = ms; left > 0 && !this.#isStopping; left = endsAt - performance.now())
      await this.#wakeSignal.wait(left)
  }
}
