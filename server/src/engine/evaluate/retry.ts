import type { NewJob } from '../../store/jobs.ts'
import { jobId } from '../fan-out/index.ts'
import type { EvaluateJob, Match } from '../jobs.ts'

/** A node that is down or a service that is busy gets two minutes to come back. */
const delaysMs = [2_000, 8_000, 20_000, 30_000, 60_000]
export const attemptsMax = delaysMs.length

export function retryJob(job: EvaluateJob, matches: Match[], now: Date): NewJob {
  const attempt = (job.attempt ?? 0) + 1
  const data: EvaluateJob = { ...job, matches, attempt }
  const cause = matches.flatMap(({ key, listeners }) => [key, ...listeners])
  const startAfter = new Date(now.getTime() + (delaysMs[attempt - 1] ?? 0))
  return { id: jobId('again', job.triggerId, attempt, ...cause), data, group: job.triggerId, startAfter }
}
