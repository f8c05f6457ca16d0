import type { NewJob } from '../../store/jobs/jobs.ts'
import type { RetractedJob } from './job.ts'

/** The blocks that replace the undone ones are evaluated first. Their outputs set the timers that the states need. */
const replacedWithinMs = 30_000

/** The job for subscriptions whose firing or resolved alerts a reorg took back; none if there are no such subscriptions. */
export function retractedJobs(subscriptionIds: readonly string[], at: Date): NewJob[] {
  if (subscriptionIds.length === 0) return []
  const data: RetractedJob = { retractedOf: [...subscriptionIds] }
  return [{ data, startAfter: new Date(at.getTime() + replacedWithinMs) }]
}
