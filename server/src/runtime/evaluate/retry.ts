import type { ClaimedJob } from '../../store/jobs/job.ts'
import type { NewJob } from '../../store/jobs/jobs.ts'
import { jobId } from '../jobs/ids.ts'
import type { EvaluateJob, HistoryJob, Match } from '../jobs/job.ts'
import type { Postponed } from './alert-quota.ts'

/** A node or service that is down has two minutes to recover. */
const delaysMs = [2_000, 8_000, 20_000, 30_000, 60_000]

/** The attempts of a chunk that failed for a transient reason; `overloads` of them because this machine had no time. */
export type FailedAttempts = { attempt: number; overloads: number }
/** A match whose run failed for a transient reason, with the failed attempts so far. */
export type RetriedMatch = { match: Match; failed: FailedAttempts }

/** Counts a failed attempt. Undefined if no attempt is left. An overload is not the fault of the trigger, so it does not count. */
export function failedOnceMore(
  { attempt = 0, overloads = 0 }: Pick<EvaluateJob, 'attempt' | 'overloads'>,
  isOverload: boolean,
): FailedAttempts | undefined {
  if (!isOverload && attempt - overloads >= delaysMs.length) return undefined
  return { attempt: attempt + 1, overloads: overloads + (isOverload ? 1 : 0) }
}

/** Jobs that repeat failed runs, one for those that count the same. */
export function retryJobs(job: EvaluateJob, retries: readonly RetriedMatch[], now: Date): NewJob[] {
  return [...Map.groupBy(retries, ({ failed }) => failed.overloads).values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const matches = group.map(({ match }) => match)
    const { attempt } = first.failed
    const id = jobId('again', job.triggerId, attempt, ...causeOf(matches))
    const data: EvaluateJob = { ...job, matches, ...first.failed }
    return { id, data, group: job.triggerId, startAfter: retryAt(attempt, now) }
  })
}

function retryAt(attempt: number, now: Date): Date {
  return new Date(now.getTime() + (delaysMs[attempt - 1] ?? delaysMs.at(-1) ?? 0))
}

/** A job of the ordered queue is repeated as a whole, so that its items stay in order. */
export function wholeRetry<T extends EvaluateJob | HistoryJob>(
  data: T,
  failed: FailedAttempts,
  now: Date,
): { data: T; startAfter: Date } {
  const again =
    'history' in data
      ? { ...data, chunks: data.chunks.map((chunk) => ({ ...chunk, ...failed })) }
      : { ...data, ...failed }
  return { data: again, startAfter: retryAt(failed.attempt, now) }
}

/** The same matches may be postponed several times, so the id includes the minute. */
export function postponedJob(job: EvaluateJob, { matches, until }: Postponed): NewJob {
  const id = jobId('postponed', job.triggerId, until.getTime(), ...causeOf(matches))
  return { id, data: { ...job, matches }, group: job.triggerId, startAfter: until }
}

/** A run that waits for a provider starts its attempts again. */
export const noneFailed: FailedAttempts = { attempt: 0, overloads: 0 }

/** A match whose run waits for a provider. */
export type ParkedMatch = { match: Match; delayMs: number }

/**
 * Jobs that take parked runs up again, one for each delay. A block that is applied again has other runs with the same
 * keys, and an edited trigger starts its attempts again, so the id has the incarnation and the time of the first attempt.
 */
export function parkedJobs(job: EvaluateJob, parked: readonly ParkedMatch[], now: Date): NewJob[] {
  return [...Map.groupBy(parked, ({ delayMs }) => delayMs)].map(([delayMs, group]) => {
    const matches = group.map(({ match }) => match)
    const states = matches.flatMap(({ parked }) => (parked ? [parked.provider, parked.attempts, parked.sinceMs] : []))
    const id = jobId('parked', job.triggerId, job.block?.incarnation ?? 0, ...states, ...causeOf(matches))
    return { id, data: { ...job, matches }, group: job.triggerId, startAfter: new Date(now.getTime() + delayMs) }
  })
}

/** An ordered chunk keeps its place in the queue: what is left of it waits, and later chunks of the trigger wait behind it. */
export function heldChunk(
  { data }: Pick<ClaimedJob<EvaluateJob>, 'data'>,
  parked: readonly ParkedMatch[],
  now: Date,
): { data: EvaluateJob; startAfter: Date } {
  const delayMs = Math.max(...parked.map(({ delayMs }) => delayMs))
  const matches = parked.map(({ match }) => match)
  return {
    data: { ...data, matches, ...noneFailed },
    startAfter: new Date(now.getTime() + delayMs),
  }
}

function causeOf(matches: readonly Match[]): string[] {
  return matches.flatMap(({ key, listeners }) => [key, ...listeners])
}
