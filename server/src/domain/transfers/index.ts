/** Project transfers: a plan, a request that the target's owner decides, and the move itself. */
export * from './accept.ts'
export * from './create.ts'
export { planTransfer } from './plan.ts'
export * from './requests.ts'
export * from './requests.ts'
