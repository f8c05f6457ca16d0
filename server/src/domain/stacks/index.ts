/** Stacks: definitions of a workspace that are planned and applied as a whole, in one transaction. */
export { stackHandlers } from './handlers.ts'
export * from './read.ts'
