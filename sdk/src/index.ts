/** A typed client read from the contract: every route is a function, nothing is generated. */
export * from './client.ts'
export * from './error.ts'
export type { ServerEvent } from './events.ts'
