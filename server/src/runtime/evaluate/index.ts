/**
 * Loop 2: evaluates matches. Read it in this order: evaluate-chunk.ts (a claimed job with one chunk of matches),
 * run-chunk.ts (run the trigger), fan-out/ (outputs to candidates), commit-chunks.ts with policies/ and record-alerts.ts
 * (candidates to alerts and deliveries, in one commit). policy-timer.ts handles timers that policies set.
 */

import { waitForTurn } from '../../engine/base/event-loop-turns.ts'
import type { ClaimedJob } from '../../store/jobs/job.ts'
import type { Running, RuntimeDeps } from '../deps.ts'
import type { BeginJob, DueStatesJob, EvaluateJob, HistoryJob, PolicyJob, RetractedJob } from '../jobs/job.ts'
import type { LiveTrigger } from '../listeners/live-trigger.ts'
import { makeAlertQuota } from './alert-quota.ts'
import { commitChunks } from './commit-chunks.ts'
import { type Committer, makeCommitter } from './committer.ts'
import { type EvaluateContext, evaluate } from './evaluate-chunk.ts'
import { evaluateHistory, isEvaluateJob, isHistoryJob } from './evaluate-history.ts'
import { type Health, watchHealth } from './health.ts'
import { firePolicyTimer } from './policy-timer.ts'
import { makePressure, type PressureLimits } from './pressure.ts'
import { wholeRetry } from './retry.ts'
import { type ChunkResult, RetryWholeChunk } from './run-chunk.ts'
import { makeSerialPerTrigger } from './serial-per-trigger.ts'

export { evaluateChunk } from './evaluate-chunk.ts'
export type { PressureLimits } from './pressure.ts'

export type EvaluateOptions = {
  pressure?: PressureLimits
  /** Alerts a minute for the subscriptions of one workspace. */
  alertsPerMinute?: number
  /** The most chunks that run at once in this process. */
  slots?: number
  /** The most chunks of one trigger that run at once. */
  perTrigger?: number
}

const refreshMs = 200
const healthMs = 10_000
const removeIdleMs = 3_600_000
/** A monitor in standby is kept only to undo a reorg; after a day that is no longer needed. */
const idleMaxMs = 24 * 3_600_000

export async function startEvaluate(deps: RuntimeDeps, options: EvaluateOptions = {}): Promise<Running> {
  const pressure = makePressure(options.pressure ?? {}, deps.clock)
  const quota = makeAlertQuota(options.alertsPerMinute ?? Number.POSITIVE_INFINITY, deps.clock)
  const context = { deps, addressBooks: new Map(), serialPerTrigger: makeSerialPerTrigger(), pressure, quota }
  const health = watchHealth(deps, pressure)
  const committer = makeCommitter(deps)
  const refreshListeners = makeRefreshListeners(deps)
  const handle = async (claimed: ClaimedJob<EvaluateJob | HistoryJob>) => {
    await refreshListeners()
    await waitForTurn()
    try {
      if (isHistoryJob(claimed)) await evaluateHistoryJob(context, health, claimed)
      else if (isEvaluateJob(claimed)) await evaluateJob(context, committer, health, claimed)
    } catch (error) {
      if (!(error instanceof RetryWholeChunk)) throw error
      await retryWhole(deps, claimed, error)
    }
  }
  const { slots = 64, perTrigger = 8 } = options
  const pumps = [
    deps.store.jobQueue.pump<EvaluateJob>('evaluate', { slots, batchSize: 16, perGroup: perTrigger }, handle),
    deps.store.jobQueue.pump<EvaluateJob | HistoryJob>(
      'evaluate-ordered',
      { slots, batchSize: 16, perGroup: perTrigger },
      handle,
    ),
    deps.store.jobQueue.pump<PolicyJob | DueStatesJob | BeginJob | RetractedJob>(
      'policy',
      { slots: 8, batchSize: 8, perGroup: 8 },
      (claimed) => firePolicyTimer(deps, claimed),
    ),
  ]
  const timers = [
    setInterval(() => void logFailure(deps, health.notePressure()), healthMs),
    setInterval(() => void logFailure(deps, removeIdleStates(deps)), removeIdleMs),
  ]
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(pumps.map((pump) => pump.stop()))
    },
  }
}

async function evaluateJob(
  context: EvaluateContext,
  committer: Committer,
  health: Health,
  claimed: ClaimedJob<EvaluateJob>,
): Promise<void> {
  const { deps } = context
  const startMs = deps.clock().getTime()
  await deps.crashPoint('evaluate.claimed')
  const result = await evaluate(context, claimed)
  await deps.crashPoint('evaluate.ran')
  claimed.signal.throwIfAborted()
  await committer.commit(result)
  await noteChunk(context, health, result, startMs)
}

async function noteChunk(
  { deps }: EvaluateContext,
  health: Health,
  chunk: ChunkResult,
  startMs: number,
): Promise<void> {
  const trigger = deps.listeners.trigger(chunk.claimed.data.triggerId)
  if (!trigger) return
  traceChunk(deps, trigger, chunk, startMs)
  await logFailure(deps, health.note(trigger, chunk))
}

function traceChunk(
  { tracing, clock }: RuntimeDeps,
  { fullname: trigger }: LiveTrigger,
  { claimed: { id: jobId, data }, candidates }: ChunkResult,
  startMs: number,
): void {
  const cause = { source: data.source, blockHash: data.block?.hash ?? null }
  const chunk = { jobId, trigger, matches: data.matches.length, alerts: candidates.length }
  tracing?.chunk(cause, chunk, { startMs, endMs: clock().getTime() })
}

async function evaluateHistoryJob(
  context: EvaluateContext,
  health: Health,
  claimed: ClaimedJob<HistoryJob>,
): Promise<void> {
  const { deps } = context
  await deps.crashPoint('evaluate.claimed')
  const { results, commit } = await evaluateHistory(context, claimed)
  await deps.crashPoint('evaluate.ran')
  claimed.signal.throwIfAborted()
  await commitChunks(deps, results, commit)
  for (const result of results) {
    const trigger = deps.listeners.trigger(result.claimed.data.triggerId)
    if (trigger) await logFailure(deps, health.note(trigger, result))
  }
}

/** Puts a job of the ordered queue back. It keeps its place, so later jobs of its trigger wait. */
async function retryWhole(
  { store, clock, log }: RuntimeDeps,
  claimed: ClaimedJob<EvaluateJob | HistoryJob>,
  { failed, message: reason }: RetryWholeChunk,
): Promise<void> {
  const { data, startAfter } = wholeRetry(claimed.data, failed, clock())
  log.warn({ reason, ...failed }, 'an ordered chunk failed and will be retried')
  // If the claim expired, another process has the job.
  await store.jobs.putBack(claimed, data, startAfter)
}

/** Refreshes the listeners at most every 200 ms, so that edits apply soon without a query for each chunk. */
function makeRefreshListeners({ listeners }: RuntimeDeps): () => Promise<void> {
  let startedAt = Number.NEGATIVE_INFINITY
  let refreshing: Promise<void> = Promise.resolve()
  return () => {
    if (performance.now() - startedAt > refreshMs) {
      startedAt = performance.now()
      refreshing = listeners.refreshIfNoticed()
    }
    return refreshing
  }
}

function removeIdleStates({ store, clock }: RuntimeDeps): Promise<void> {
  return store.policyStates.removeIdle(new Date(clock().getTime() - idleMaxMs))
}

/** A failure of this side work must not fail the chunk; the next call may succeed. */
async function logFailure({ log }: RuntimeDeps, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ reason }, 'updating trigger states failed; it will be retried')
  }
}
