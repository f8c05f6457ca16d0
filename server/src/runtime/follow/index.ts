/** Loop 1: follows sources. Blocks → matches as jobs, with the checkpoint, in one commit; undo in another. */
export { startFollowing } from './supervisor.ts'
