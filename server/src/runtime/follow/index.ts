/**
 * Loop 1: follows sources. Read it in this order: supervisor.ts (which sources this process follows), source-run.ts (one
 * source under one lease), follow-loop.ts (step by step to the head), source-sink.ts (match, commit, undo). One commit
 * holds a block's matches as jobs together with the checkpoint; an undo is another commit.
 */
export { startFollowing } from './supervisor.ts'
