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

function causeOf(matches: readonly Match[]): string[] {
  return matches.flatMap(({ key, listeners }) => [key, ...listeners])
}
