import type { ClaimedJob } from '../../store/jobs/job.ts'
import { historyScope } from '../jobs/ids.ts'
import { type EvaluateJob, type HistoryChunk, type HistoryJob, recordedRuns } from '../jobs/job.ts'
import type { LiveTrigger } from '../listeners/live-trigger.ts'
import { historyWindows } from './chunk-windows.ts'
import type { HistoryCommit } from './commit-chunks.ts'
import { findTrigger } from './evaluate-chunk.ts'
import { noneFailed } from './retry.ts'
import { type ChunkContext, type ChunkResult, emptyResult, runChunk } from './run-chunk.ts'

export function isHistoryJob(claimed: ClaimedJob<EvaluateJob | HistoryJob>): claimed is ClaimedJob<HistoryJob> {
  return 'history' in claimed.data
}

export function isEvaluateJob(claimed: ClaimedJob<EvaluateJob | HistoryJob>): claimed is ClaimedJob<EvaluateJob> {
  return !('history' in claimed.data)
}

/**
 * Runs the chunks of a history in their order. The state windows of a history are its own, so that past values do not mix with
 * the live ones. Limits on the pressure of a trigger and on alerts a minute do not apply: the length of a history is limited.
 */
export async function evaluateHistory(context: ChunkContext, claimed: ClaimedJob<HistoryJob>): Promise<HistoryResult> {
  const { deps } = context
  const { history, chunks } = claimed.data
  const windows = historyWindows(deps.store, historyScope(history.subscriptionId))
  const results: ChunkResult[] = []
  let rest: HistoryCommit['rest'] = null
  for (const [at, data] of chunks.entries()) {
    const chunk = { ...claimed, data }
    const trigger = await findTrigger(deps, data)
    if (!trigger || !hasListeners(trigger, data))
      return { results: [emptyResult(chunk)], commit: { part: history, rest: null, isLive: false } }
    const result = await runChunk(context, chunk, trigger, data.matches, windows.of(data))
    results.push(result)
    if (result.parked.length > 0) {
      rest = restOf(result, chunks.slice(0, at + 1), chunks.slice(at + 1))
      break
    }
  }
  const last = results.at(-1)
  if (last) last.windows = windows.writes()
  return { results, commit: { part: history, rest, isLive: true } }
}

/** A paused subscription has no listeners. It may be resumed before the commit, which must not skip the chunk then. */
function hasListeners({ listeners }: LiveTrigger, { matches }: EvaluateJob): boolean {
  return matches.every((match) => match.listeners.every((key) => listeners.has(key)))
}

export type HistoryResult = { results: ChunkResult[]; commit: HistoryCommit }

/** A run of the last chunk in `ran` waits for a provider: what is left of its chunk and the chunks after it wait too. */
function restOf(
  { parked }: ChunkResult,
  ran: readonly HistoryChunk[],
  later: readonly HistoryChunk[],
): HistoryCommit['rest'] {
  const last = ran.at(-1)
  if (!last) return null
  const left = { ...last, matches: parked.map(({ match }) => match) }
  const chunks = [left, ...later].map((chunk) => ({ ...chunk, ...noneFailed }))
  return { chunks, delayMs: Math.max(...parked.map(({ delayMs }) => delayMs)), recorded: recordedRuns(ran, left) }
}
