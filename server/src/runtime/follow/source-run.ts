import { waitAtMost } from '../../engine/base/deadline.ts'
import type { SeenHead } from '../../engine/follow-core/index.ts'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import type { HeadStream, LiveConnection } from '../../engine/sources/connection.ts'
import type { SourceRuntime, SourceStatus } from '../../store/core/tables.ts'
import { makeWakeSignal } from '../../store/core/wake-signal.ts'
import type { FollowerRow, Held } from '../../store/following/followers.ts'
import { LeaseLost, requireLease } from '../../store/following/lease.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { Fairness } from '../jobs/index.ts'
import type { LiveSource } from '../listeners/index.ts'
import { BlockTime } from './block-time.ts'
import { Failures } from './failures.ts'
import { Pursuit } from './follow-loop.ts'
import { Patience } from './patience.ts'
import { SourceReport } from './source-report.ts'
import { verifySource } from './verify-source.ts'

export type ToldBefore = { status: SourceStatus; runtime: SourceRuntime }

const stopMs = 3_000
/** A follower has nothing better to do than to wait for an endpoint that asks for it. */
const limitWaitMs = 60_000

/** One source followed under one lease, from taking it to losing it or giving it up. */
export class SourceRun {
  readonly source: LiveSource
  readonly held: Held
  readonly report: SourceReport
  readonly #deps: RuntimeDeps
  readonly #fairness: Fairness
  readonly #wakeSignal = makeWakeSignal()
  readonly #failures = new Failures(() => performance.now())
  readonly #blockTime: BlockTime
  readonly #patience: Patience
  #isStopping = false
  #isOver = false
  #announced: SeenHead | undefined
  #stream: HeadStream | undefined
  #done: Promise<void> = Promise.resolve()

  constructor(deps: RuntimeDeps, source: LiveSource, row: FollowerRow, fairness: Fairness, before: ToldBefore) {
    this.#deps = deps
    this.source = source
    this.held = { source: row.source, epoch: row.epoch }
    this.report = new SourceReport(deps, source, this.held, before)
    this.#fairness = fairness
    this.#blockTime = new BlockTime(deps.now)
    this.#patience = new Patience(this.#blockTime, deps.now)
  }

  /** Ended by itself: the lease was lost. */
  get isOver(): boolean {
    return this.#isOver
  }

  start(): void {
    this.#done = this.#run()
      .catch((error: unknown) =>
        this.#deps.log.error({ source: this.source.fullname, error: String(error) }, 'following ended'),
      )
      .finally(() => {
        this.#isOver = true
      })
  }

  /** Begins nothing new; what is under way is fenced by the lease. */
  abandon(): void {
    this.#isStopping = true
    this.#wakeSignal.wake()
  }

  async stop(): Promise<void> {
    this.abandon()
    await waitAtMost(this.#done, stopMs)
  }

  /** After a failure what the store holds is read again: an answer that was lost may have been a commit. */
  async #run(): Promise<void> {
    let connection: LiveConnection | undefined
    while (!this.#isStopping) {
      try {
        const chain = await this.#deps.engine.chain(this.source.kind)
        connection ??= await this.#connect()
        await this.#noteFirstHead(connection)
        await this.#verify()
        await this.#pursuit().follow(chain, connection)
      } catch (error) {
        if (error instanceof LeaseLost) break
        await this.#fail(error)
      }
    }
    this.#stream?.close()
    await connection?.close()
  }

  #pursuit(): Pursuit {
    return new Pursuit({
      deps: this.#deps,
      source: this.source,
      held: this.held,
      report: this.report,
      fairness: this.#fairness,
      isStopping: () => this.#isStopping,
      areHeadsTold: () => this.#stream?.isUp === true,
      takeAnnounced: () => {
        const head = this.#announced
        this.#announced = undefined
        return head
      },
      wait: (ms) => this.#wakeSignal.wait(ms),
      blockTime: this.#blockTime,
      patience: this.#patience,
      recovered: () => this.#failures.recovered(),
    })
  }

  /** A source that comes up late, for whatever reason, begins at the first head that it could see. */
  async #noteFirstHead(connection: LiveConnection): Promise<void> {
    const { store } = this.#deps
    const row = await store.followers.find(this.held.source)
    if (!row || row.number !== null || row.state.firstHead !== undefined) return
    try {
      const { number } = await connection.head()
      await store.followers.setState(this.held, { firstHead: number })
    } catch (error) {
      // What is wrong with the node shows when it is verified and followed.
      if (!(error instanceof UpstreamError)) throw error
    }
  }

  /** Each revision once, whichever process runs it first: a takeover must not wait for it. */
  async #verify(): Promise<void> {
    const { store, engine } = this.#deps
    const row = await store.followers.find(this.held.source)
    if (row?.epoch !== this.held.epoch) throw new LeaseLost(this.held.source)
    // Rows that were never verified have 0.
    const verified = this.source.revision + 1
    if (row.revision === verified && row.state.network !== undefined)
      return this.report.see({ ...row.state.runtime, ...this.report.runtime })
    const found = await verifySource(engine, this.source)
    const network = found.chainId ?? found.genesisHash
    if (row.state.network !== undefined && network !== row.state.network) await this.#beginAnew()
    this.report.see(found)
    const runtime = { ...row.state.runtime, ...found }
    await store.followers.setState(this.held, { ...row.state, runtime, ...(network && { network }) }, verified)
  }

  async #beginAnew(): Promise<void> {
    await this.#deps.store.tx(async (store) => {
      await requireLease(store, this.held)
      await store.followers.forgetCheckpoint(this.held)
      await store.sourceBlocks.removeAll(this.held.source)
    })
    const message = 'Another network stands behind the endpoints: it is followed from its head'
    await this.report.log({ level: 'warn', message })
  }

  async #connect(): Promise<LiveConnection> {
    const { engine, log } = this.#deps
    const { batchMaxCount } = this.source.settings
    const connection = await engine.connect(this.source.address(), {
      ...(batchMaxCount !== undefined && { batchMaxCount }),
      limitWaitMs,
      onNotice: ({ level, message, code, host }) => {
        const unkept = (error: unknown) =>
          log.warn({ source: this.source.fullname, error: String(error) }, 'a line of a source was not kept')
        this.report.log({ level, message, details: { code, host } }).catch(unkept)
      },
    })
    const onHead = (head: SeenHead) => {
      this.#announced = head
      this.#wakeSignal.wake()
    }
    this.#stream = connection.heads({ onHead })
    return connection
  }

  async #fail(error: unknown): Promise<void> {
    const { log } = this.#deps
    if (!(error instanceof UpstreamError))
      log.warn({ source: this.source.fullname, error: String(error) }, 'following failed')
    const { pauseMs, line, isError, code } = this.#failures.failed(error)
    try {
      if (line && isError && this.report.state !== 'error')
        await this.report.change('error', line, { message: line.message, code })
      else if (line) await this.report.log(line)
    } catch (failure) {
      if (failure instanceof LeaseLost) return this.abandon()
      this.#failures.unheard()
      log.warn({ source: this.source.fullname, error: String(failure) }, 'a failure could not be told')
    }
    await this.#pause(pauseMs)
  }

  /** Heads that are told do not shorten it; stopping does. */
  async #pause(ms: number): Promise<void> {
    const endsAt = performance.now() + ms
    for (let left = ms; left > 0 && !this.#isStopping; left = endsAt - performance.now())
      await this.#wakeSignal.wait(left)
  }
}
