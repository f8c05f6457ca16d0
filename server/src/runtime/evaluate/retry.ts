import type { ClaimedJob } from '../../store/jobs/job.ts'
import type { NewJob } from '../../store/jobs/jobs.ts'
import { jobId } from '../jobs/ids.ts'
import type { EvaluateJob, Match } from '../jobs/job.ts'
import type { Postponed } from './alert-quota.ts'

/** A node or service that is down has two minutes to recover. */
const delaysMs = [2_000, 8_000, 20_000, 30_000, 60_000]
export const attemptsMax = delaysMs.length

export function retryJob(job: EvaluateJob, matches: Match[], now: Date): NewJob {
  const attempt = (job.attempt ?? 0) + 1
  const data: EvaluateJob = { ...job, matches, attempt }
  const startAfter = new Date(now.getTime() + (delaysMs[attempt - 1] ?? 0))
  return { id: jobId('again', job.triggerId, attempt, ...causeOf(matches)), data, group: job.triggerId, startAfter }
}

/** The same matches may be postponed several times, so the id includes the minute. */
export function postponedJob(job: EvaluateJob, { matches, until }: Postponed): NewJob {
  const id = jobId('postponed', job.triggerId, until.getTime(), ...causeOf(matches))
  return { id, data: { ...job, matches }, group: job.triggerId, startAfter: until }
}

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
  { data, retryCount }: Pick<ClaimedJob<EvaluateJob>, 'data' | 'retryCount'>,
  parked: readonly ParkedMatch[],
  now: Date,
): { data: EvaluateJob; startAfter: Date } {
  const delayMs = Math.max(...parked.map(({ delayMs }) => delayMs))
  const matches = parked.map(({ match }) => match)
  return {
    data: { ...data, matches, claimsBefore: retryCount + 1 },
    startAfter: new Date(now.getTime() + delayMs),
  }
}

function causeOf(matches: readonly Match[]): string[] {
  return matches.flatMap(({ key, listeners }) => [key, ...listeners])
}
