import {
  type BodyInput,
  type Params,
  type QueryInput,
  type Reply,
  type Route,
  type RouteName,
  type Routes,
  routes,
} from '@tocsin/contract'
import type { ServerEvent } from './events.ts'
import type { CallAnswer, CallArgs, ClientOptions, RequestOptions } from './request.ts'
import { send } from './retry.ts'
import { type LiveEvent, type StreamArgs, streamEvents } from './stream.ts'

type QueryArgs<R extends Route> = QueryInput<R> extends undefined ? { query?: undefined } : { query?: QueryInput<R> }
type BodyArgs<R extends Route> =
  BodyInput<R> extends undefined
    ? { body?: undefined }
    : R extends { bodyOptional: true }
      ? { body?: BodyInput<R> }
      : { body: BodyInput<R> }

/** The path's parameters by name, with `query`, `body`, the headers, `signal`, `timeoutMs` and `retries`. */
export type Args<Name extends RouteName> = Params<Routes[Name]> &
  QueryArgs<Routes[Name]> &
  BodyArgs<Routes[Name]> &
  RequestOptions
export type Answered<Name extends RouteName> = {
  status: number
  headers: Headers
  body: Routes[Name] extends { events: 'only' }
    ? AsyncGenerator<ServerEvent, void, undefined>
    : Routes[Name]['reply'] extends 'picture'
      ? Uint8Array
      : Reply<Routes[Name]>
}
type ProgressName = { [Name in RouteName]: Routes[Name] extends { events: 'progress' } ? Name : never }[RouteName]
export type ListName = { [Name in RouteName]: Routes[Name] extends { list: true } ? Name : never }[RouteName]
type ItemOf<Name extends ListName> = Answered<Name>['body'] extends readonly (infer Item)[] ? Item : never

type Call<Name extends RouteName, Result> =
  Record<string, never> extends Args<Name> ? (args?: Args<Name>) => Result : (args: Args<Name>) => Result

export type Client = { [Name in RouteName]: Call<Name, Promise<Answered<Name>['body']>> } & {
  /** The same call, returning status and headers too, for ETag, Link and rate limits. */
  whole: { [Name in RouteName]: Call<Name, Promise<Answered<Name>>> }
  /** The same call as a stream of events: `progress`, and `result` at the end. */
  progress: { [Name in ProgressName]: Call<Name, Promise<AsyncGenerator<ServerEvent, void, undefined>>> }
  /** Every item of a list, over all its pages. */
  each: { [Name in ListName]: Call<Name, AsyncGenerator<ItemOf<Name>, void, undefined>> }
  /** The events of the service without an end: it connects again when the connection ends, and resumes. */
  stream: (args?: StreamArgs) => AsyncGenerator<LiveEvent, void, undefined>
}

export function createClient(options: ClientOptions): Client {
  const whole: Record<string, unknown> = {}
  const progress: Record<string, unknown> = {}
  const each: Record<string, unknown> = {}
  const stream = (args: StreamArgs = {}) => streamEvents(options, routes.streamEvents, args)
  const client: Record<string, unknown> = { whole, progress, each, stream }
  for (const [name, route] of Object.entries<Route>(routes)) {
    const call = (args: CallArgs = {}) => send(options, route, args)
    whole[name] = call
    client[name] = async (args: CallArgs = {}) => (await call(args)).body
    if (route.events === 'progress')
      progress[name] = async (args: CallArgs = {}) => (await send(options, route, args, { wantsEvents: true })).body
    if (route.list) each[name] = (args: CallArgs = {}) => eachItem(call, args)
  }
  return client as Client
}

/** Yields every item of a list, page by page. `limit` in the query is the size of a page. */
async function* eachItem(
  readPage: (args: CallArgs) => Promise<CallAnswer>,
  args: CallArgs,
): AsyncGenerator<unknown, void, undefined> {
  let cursor: string | undefined
  do {
    const { body, headers } = await readPage({ ...args, query: { ...args.query, ...(cursor && { cursor }) } })
    yield* body as unknown[]
    cursor = nextCursor(headers.get('link') ?? '')
  } while (cursor !== undefined)
}

/** The cursor in `Link: </api/…?cursor=…>; rel="next"`. */
function nextCursor(link: string): string | undefined {
  const [, url] = /<([^<>]*)>\s*;\s*rel="?next"?/.exec(link) ?? []
  return url === undefined ? undefined : (new URL(url, 'http://localhost').searchParams.get('cursor') ?? undefined)
}
