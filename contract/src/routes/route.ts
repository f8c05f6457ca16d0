import type * as z from 'zod'
import type { ErrorCode } from '../base/errors.ts'
import type { Scope } from '../base/scopes.ts'

export type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'

/**
 * A POST accepts an `Idempotency-Key`. A route that uses the network (a node, a tenant's address, a channel) runs
 * outside any transaction, so that a slow remote server holds no database connection. Any other route commits its
 * effect together with the kept reply.
 */
type RouteOfMethod =
  | { method: Exclude<Method, 'POST'>; isConditional?: never }
  /** `isConditional`: it changes one entity and respects `If-Match`, as every PUT, PATCH and DELETE does. */
  | { method: 'POST'; reachesNetwork: boolean; isConditional?: true }

/**
 * `account`: needs a signed-in account, and a token with at least one of these scopes. `any`: each token may call it.
 * `none`: needs no account; some of these routes have a token in the path. `sessionOnly`: it changes how the account is signed in
 * to, so no token may call it, whatever its scopes.
 */
type RouteAccess =
  | { auth: 'none'; sessionOnly?: never }
  | { auth: 'account'; scopes: readonly [Scope, ...Scope[]] | 'any'; sessionOnly?: true }

/**
 * One route as data: the server binds it, the SDK calls it, OpenAPI documents it. The console's bundle holds only what its client
 * reads (`console/route-table.ts`), so a text costs its first load nothing.
 */
export type Route = RouteOfMethod &
  RouteAccess & {
    path: `/api/${string}`
    noun: string
    summary: string
    /** What the operation does, who may call it and what to expect. */
    description: string
    /** The errors of this operation that do not follow from the rest of the record; see `refusalsOf`. */
    refusals?: readonly ErrorCode[]
    /** The answer is one entity and has its version as ETag. */
    hasTag?: true
    query?: z.ZodObject
    body?: z.ZodType
    /** The body may be omitted and is then read as `{}`. */
    bodyOptional?: true
    /**
     * `image`: base64 uploads, with a larger limit. `stack`: many definitions, with a larger limit. `form`: posted by mail
     * programs and pages; the content is not read.
     */
    bodyKind?: 'image' | 'stack' | 'form'
    /** JSON of one record, an array of records, nothing (204), or a picture. */
    reply: z.ZodType | 'empty' | 'picture'
    /** The reply is an array with pages by `limit` and `cursor`. */
    list?: true
    /** Server-sent events: `only`, or `progress` before the reply for callers that accept text/event-stream. */
    events?: 'only' | 'progress'
  }

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}.json`
    ? Name
    : Path extends `${string}:${infer Name}`
      ? Name
      : never

export type Params<R extends Route> = { [Name in ParamNames<R['path']>]: string }
export type Query<R extends Route> = R['query'] extends z.ZodType ? z.output<R['query']> : undefined
export type QueryInput<R extends Route> = R['query'] extends z.ZodType ? z.input<R['query']> : undefined
export type Body<R extends Route> = R['body'] extends z.ZodType ? z.output<R['body']> : undefined
export type BodyInput<R extends Route> = R['body'] extends z.ZodType ? z.input<R['body']> : undefined
export type Reply<R extends Route> = R['reply'] extends z.ZodType ? z.output<R['reply']> : undefined
