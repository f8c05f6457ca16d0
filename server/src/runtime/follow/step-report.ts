import type { Follower, Step } from '../../engine/follow-core/follower.ts'
import type { EndpointReport } from '../../engine/sources/endpoint-report.ts'
import type { SourceState } from '../../store/core/tables.ts'
import { LastingTrouble } from './failures.ts'
import type { FollowContext } from './follow-context.ts'
import type { Silence } from './pace/block-time.ts'

/** A block may be missing this long, or the node's head lie below the checkpoint, before it is an error. */
const troubleMaxMs = 30_000
/** The same while every endpoint limits the calls: then blocks come slowly, and the status names the limit. */
const limitedTroubleMaxMs = 120_000

/** Writes the result of each step into the source's report: head, lag, status, and errors that a step reveals. */
export class StepReport {
  readonly #context: FollowContext
  readonly #calls = new CallsPerBlock()
  #isResting = false

  constructor(context: FollowContext) {
    this.#context = context
  }

  async record(step: Step, follower: Follower): Promise<void> {
    const { report, source, progress, connection, isFailing, trouble } = this.#context
    const latestBlock = step.head.number
    const processedBlock = follower.tip?.number ?? 0
    const lag = Math.max(0, latestBlock - (source.settings.confirmations ?? 0) - processedBlock)
    const { headAt } = progress
    report.setRuntime({ latestBlock, processedBlock, lag, ...(headAt && { headAt: headAt.toISOString() }) })
    if (step.deep && !step.deep.isFromBeginning) await this.#reportDeepReorg(step.deep)
    this.#calls.record(connection.report(), processedBlock)
    const isInTrouble = this.#isInTrouble(step, processedBlock)
    if (isInTrouble) this.#requireShortTrouble(step, processedBlock)
    else trouble.since = undefined
    // A block that still cannot be read, or a node that is still behind, does not end an error.
    if (!isInTrouble || !(isFailing() || report.state === 'error')) await this.#reportStatus(lag)
  }

  async #reportDeepReorg({ from, to }: { from: number; to: number }): Promise<void> {
    const message =
      `A reorganisation is deeper than the blocks that the service can undo: alerts from blocks before ${from} may ` +
      `describe events that are no longer on the chain. The service continues after block ${to}.`
    const line = { level: 'error' as const, message, details: { from, to } }
    await this.#context.report.changeStatus('error', line, { message, code: 'source.deep_reorganisation' })
  }

  /** On a chain that skips numbers a step may pass an empty number, and the next one may miss a block again: that is no progress. */
  #isInTrouble({ kind, head }: Step, processed: number): boolean {
    const { trouble } = this.#context
    if (kind === 'short' || head.number < processed) return true
    return kind === 'ahead' && trouble.since !== undefined && trouble.processed === processed
  }

  /** A node has such trouble briefly now and then; only lasting trouble is an error. */
  #requireShortTrouble({ isBelow, head }: Step, processed: number): void {
    const { deps, chain, trouble } = this.#context
    const now = deps.now()
    if (trouble.processed !== processed) trouble.since = undefined
    trouble.since ??= now
    trouble.processed = processed
    const isLimited = head.number >= processed && this.#limit() !== undefined
    if (now - trouble.since < (isLimited ? limitedTroubleMaxMs : troubleMaxMs)) return
    if (head.number < processed) throw new LastingTrouble(belowMessage(head.number, processed, isBelow === true))
    throw new LastingTrouble(missingMessage(head.number, processed, chain.pace.skipsNumbers))
  }

  /** Why the source cannot be faster, if all of its endpoints limit it. */
  #limit(): string | undefined {
    const { connection, blockTime } = this.#context
    return limitCause(connection.report(), this.#calls.perSecond(blockTime.usualMs))
  }

  /** A head that stands still while the source counts as running is one line in the log, each time that it begins. */
  async #logRest(message: string | undefined): Promise<void> {
    const isResting = message !== undefined
    if (isResting && !this.#isResting) await this.#context.report.log({ level: 'info', message })
    this.#isResting = isResting
  }

  async #reportStatus(lag: number): Promise<void> {
    const { report, endFailures, blockTime, chain } = this.#context
    const limit = this.#limit()
    const failed = endFailures()
    const { status, message } = lagStatusOf({
      lag,
      laggingBeyond: chain.pace.laggingBeyond,
      wasLagging: report.state === 'lagging',
      silence: blockTime.silence,
      limit,
    })
    await this.#logRest(status === 'running' ? message : undefined)
    if (report.state === status) return report.setMessage(message)
    const logged = failed
      ? `Recovered after ${failed.failures} failures in ${failed.seconds} s`
      : (message ?? 'Running')
    const level = status === 'lagging' ? 'warn' : 'info'
    await report.changeStatus(status, { level, message: logged, details: { lag } }, { message })
  }
}

/** Blocks that the service still keeps are replaced as soon as the node shows another chain. */
function belowMessage(head: number, processed: number, isBelowKept: boolean): string {
  const what = `The node is at block ${head}, but block ${processed} is already processed: the node is`
  if (!isBelowKept) return `${what} behind, or its chain was set back. The service waits for its next blocks.`
  return `${what} far behind, or its chain was restarted. Reset the lag to continue from its head.`
}

function missingMessage(head: number, processed: number, skipsNumbers: boolean): string {
  const missing = `The node is at block ${head} and does not return the block after ${processed}.`
  return skipsNumbers ? `${missing} It may say that a slot was skipped which has a block.` : missing
}

/** What a step shows about a source whose node answers. */
export type Observed = {
  lag: number
  /** A source that is more blocks behind than this is lagging. */
  laggingBeyond: number
  wasLagging: boolean
  /** A long time without a new block. */
  silence: Silence | undefined
  /** Why the source cannot be faster, if its endpoints limit it. */
  limit: string | undefined
}
/** A source of which too little is known to call it lagging keeps running, and says since when its head stands still. */
export type LagStatus = { status: Extract<SourceState, 'running' | 'lagging'>; message?: string }

/** Lagging begins beyond the limit and ends at half of it, so that a source near the limit does not flap. */
export function lagStatusOf({ lag, laggingBeyond, wasLagging, silence, limit }: Observed): LagStatus {
  if (lag > (wasLagging ? laggingBeyond / 2 : laggingBeyond)) {
    const behind = `${lag} blocks behind the head.`
    return { status: 'lagging', message: limit === undefined ? behind : `${behind} ${limit}` }
  }
  if (silence === undefined) return { status: 'running' }
  const seconds = Math.floor(silence.ms / 1000)
  if (!silence.mayBeUsual) return { status: 'lagging', message: `No new block for ${seconds} s` }
  // Whole minutes, so that a chain that rests does not change its row every few seconds.
  const long = seconds < 120 ? 'about a minute' : `${Math.floor(seconds / 60)} minutes`
  return { status: 'running', message: `No new block for ${long}. How often this chain makes blocks is not known yet.` }
}

const blocksMin = 5

/** Measures how many calls a source makes for each block. */
export class CallsPerBlock {
  #from: { calls: number; processed: number } | undefined
  #perBlock: number | undefined

  record(endpoints: readonly EndpointReport[], processed: number): void {
    const calls = endpoints.reduce((sum, { requests }) => sum + requests, 0)
    this.#from ??= { calls, processed }
    const blocks = processed - this.#from.processed
    if (blocks >= 0 && blocks < blocksMin) return
    if (blocks > 0) this.#perBlock = (calls - this.#from.calls) / blocks
    this.#from = { calls, processed }
  }

  /** Calls a second on a chain with this block time; undefined while either is not known. */
  perSecond(blockTimeMs: number | undefined): number | undefined {
    if (this.#perBlock === undefined || blockTimeMs === undefined) return undefined
    return (this.#perBlock * 1000) / blockTimeMs
  }
}

/** Explains why a source cannot keep up if all of its endpoints limit the calls; else undefined. */
export function limitCause(endpoints: readonly EndpointReport[], neededPerSecond: number | undefined) {
  const allowed = endpoints.flatMap(({ host, perSecond }) => (perSecond === null ? [] : { host, perSecond }))
  if (allowed.length === 0 || allowed.length < endpoints.length) return undefined
  const limits = allowed.map(({ host, perSecond }) => `${host} allows about ${perSecond} calls a second`).join(', ')
  const needs = neededPerSecond === undefined ? 'more' : `about ${Math.ceil(neededPerSecond)}`
  return `${limits}; this source needs ${needs}.`
}
