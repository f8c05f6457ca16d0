/** Project transfers: a plan, a request that the target's owner decides, and the move itself. */
export * from './accept.ts'
export * from './create.ts'
export * from './decide.ts'
export * from './list.ts'
export { planTransfer } from './plan.ts'
