import type { Store } from '../../store/index.ts'
import type { EvaluateQueue, QueuedJob } from './split.ts'

/**
 * Adds the jobs of several causes in the caller's transaction. The ordered queue accepts a key only once in a call, and
 * each cause has one ordered job for each trigger, so ordered jobs are added cause by cause.
 */
export async function addJobs(store: Store, ofCauses: readonly (readonly QueuedJob[])[]): Promise<void> {
  const jobsIn = (queued: readonly QueuedJob[], queue: EvaluateQueue) =>
    queued.filter((each) => each.queue === queue).map(({ job }) => job)
  await store.jobs.add('evaluate', jobsIn(ofCauses.flat(), 'evaluate'))
  for (const queued of ofCauses) await store.jobs.add('evaluate-ordered', jobsIn(queued, 'evaluate-ordered'))
}
