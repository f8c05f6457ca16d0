/** A typed client built from the contract: every route is a function, and no code is generated. */
export * from './client.ts'
export * from './error.ts'
export type { ServerEvent } from './events.ts'
export type { ClientOptions, RequestOptions } from './request.ts'
export type { LiveEvent, StreamArgs } from './stream.ts'
export * from './webhook.ts'
