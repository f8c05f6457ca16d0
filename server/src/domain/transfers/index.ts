/** Project transfers: a plan, a request that the other side decides about, and the move itself. */
export * from './accept.ts'
export * from './create.ts'
export * from './decide.ts'
export * from './list.ts'
export * from './plan-transfer.ts'
