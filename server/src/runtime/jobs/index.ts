/** The jobs that the loops hand to each other: their data, their ids, and how matches are split into jobs. */
export { type Fairness, makeFairness } from './fairness.ts'
export { alertId, digestId, historyScope, jobId, orderedJobId } from './ids.ts'
export type {
  Backfill,
  BeginJob,
  DeliverJob,
  DueStatesJob,
  EvaluateJob,
  HistoryChunk,
  HistoryJob,
  HistoryPart,
  Match,
  PolicyJob,
} from './job.ts'
export { recordedRuns, withoutRecorded } from './recorded-runs.ts'
export { addJobs, type Cause, jobsOf, type QueuedJob } from './split.ts'
