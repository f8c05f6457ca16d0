/** The first loop: blocks → matches (as jobs) and the checkpoint, one commit; and the way back. */

export { LeaseLost, requireLease } from '../../store/following/lease.ts'
export { type Cause, type EvaluateQueue, jobsOf, type QueuedJob } from '../jobs/split.ts'
export { addJobs, commitBlocks, type MatchedBlock } from './commit-blocks.ts'
export { commitUndo } from './commit-undo.ts'
export { type Fairness, makeFairness } from './fairness.ts'
export { matchBlock } from './match-block.ts'
