/** Stacks: definitions of a workspace that are planned and applied as a whole, in one transaction. */

export * from './handlers.ts'
export { stackHandlers } from './handlers.ts'
