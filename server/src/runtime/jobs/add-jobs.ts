import type { Store } from '../../store/index.ts'
import type { EvaluateQueue, QueuedJob } from './split.ts'

/**
 * Adds the jobs of several causes inside the caller's transaction. An ordered queue takes a key once in one call, and
 * each cause has one job for each trigger there: so ordered jobs are added cause by cause.
 */
export async function addJobs(store: Store, ofCauses: readonly (readonly QueuedJob[])[]): Promise<void> {
  const jobsIn = (queued: readonly QueuedJob[], queue: EvaluateQueue) =>
    queued.filter((one) => one.queue === queue).map(({ job }) => job)
  await store.jobs.add('evaluate', jobsIn(ofCauses.flat(), 'evaluate'))
  for (const queued of ofCauses) await store.jobs.add('evaluate-ordered', jobsIn(queued, 'evaluate-ordered'))
}
