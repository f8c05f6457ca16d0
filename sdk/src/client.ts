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
import { ApiError } from './error.ts'
import { readEvents, type ServerEvent } from './events.ts'

export type ClientOptions = {
  baseUrl: string
  token?: string
  fetch?: typeof fetch
  /** For pages with a cookie session: returns the CSRF token, which every change sends. */
  csrf?: () => string | undefined
}

type RequestOptions = { ifMatch?: string; ifNoneMatch?: string; idempotencyKey?: string; signal?: AbortSignal }
type QueryArgs<R extends Route> = QueryInput<R> extends undefined ? { query?: undefined } : { query?: QueryInput<R> }
type BodyArgs<R extends Route> =
  BodyInput<R> extends undefined
    ? { body?: undefined }
    : R extends { bodyOptional: true }
      ? { body?: BodyInput<R> }
      : { body: BodyInput<R> }

/** The path's parameters by name, with `query`, `body` and the headers. */
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

type Call<Name extends RouteName, Result> =
  Record<string, never> extends Args<Name>
    ? (args?: Args<Name>) => Promise<Result>
    : (args: Args<Name>) => Promise<Result>

export type Client = { [Name in RouteName]: Call<Name, Answered<Name>['body']> } & {
  /** The same call, returning status and headers too, for ETag, Link and rate limits. */
  whole: { [Name in RouteName]: Call<Name, Answered<Name>> }
  /** The same call as a stream of events: `progress`, and `result` at the end. */
  progress: { [Name in ProgressName]: Call<Name, AsyncGenerator<ServerEvent, void, undefined>> }
}

export function createClient(options: ClientOptions): Client {
  const whole: Record<string, unknown> = {}
  const progress: Record<string, unknown> = {}
  const client: Record<string, unknown> = { whole, progress }
  for (const [name, route] of Object.entries<Route>(routes)) {
    const call = (args: LooseArgs = {}) => request(options, route, args)
    whole[name] = call
    client[name] = async (args: LooseArgs = {}) => (await call(args)).body
    if (route.events === 'progress')
      progress[name] = async (args: LooseArgs = {}) => (await request(options, route, args, true)).body
  }
  return client as Client
}

type LooseArgs = RequestOptions & { query?: object; body?: unknown } & Record<string, unknown>

async function request(options: ClientOptions, route: Route, args: LooseArgs, isHeard = false) {
  const response = await (options.fetch ?? fetch)(addressOf(options.baseUrl, route, args), {
    method: route.method,
    headers: { ...headersOf(options, route, args), ...(isHeard && { accept: 'text/event-stream' }) },
    ...(args.body !== undefined && { body: JSON.stringify(args.body) }),
    ...(args.signal && { signal: args.signal }),
  })
  const body = await bodyOf(response)
  if (!response.ok) throw new ApiError(response.status, body)
  return { status: response.status, headers: response.headers, body }
}

function addressOf(baseUrl: string, route: Route, args: LooseArgs): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(args[name])))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(args.query ?? {})) if (value !== undefined) query.set(name, String(value))
  return `${baseUrl.replace(/\/+$/, '')}${path}${query.size > 0 ? `?${query}` : ''}`
}

function headersOf(options: ClientOptions, route: Route, args: LooseArgs): Record<string, string> {
  const csrf = route.method === 'GET' ? undefined : options.csrf?.()
  return {
    ...(csrf !== undefined && { 'x-csrf-token': csrf }),
    ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
    ...(args.body !== undefined && { 'content-type': 'application/json' }),
    ...(args.ifMatch !== undefined && { 'if-match': args.ifMatch }),
    ...(args.ifNoneMatch !== undefined && { 'if-none-match': args.ifNoneMatch }),
    ...(args.idempotencyKey !== undefined && { 'idempotency-key': args.idempotencyKey }),
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream') && response.body) return readEvents(response.body)
  if (type.startsWith('image/')) return new Uint8Array(await response.arrayBuffer())
  const text = await response.text()
  return type.startsWith('application/json') ? JSON.parse(text) : text
}
