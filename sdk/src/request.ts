import type { Route } from '@tocsin/contract'
import { ApiError, ConnectionError, TimeoutError } from './error.ts'
import { type EventListeners, readEvents } from './events.ts'

export type ClientOptions = {
  baseUrl: string
  token?: string
  fetch?: typeof fetch
  /** For pages with a cookie session: returns the CSRF token, which every change sends. */
  csrf?: () => string | undefined
  /** How often a call that may be repeated is tried again: 3 unless given. */
  retries?: number
  /** The wait before the first retry, 250 ms unless given. Each further wait is twice as long. */
  retryDelayMs?: number
  /** How long one try may take: 60 s unless given, without a limit for calls that report progress. */
  timeoutMs?: number
}

export type RequestOptions = {
  ifMatch?: string
  ifNoneMatch?: string
  idempotencyKey?: string
  /** Resumes a stream after the event with this id. */
  lastEventId?: string
  signal?: AbortSignal
  retries?: number
  timeoutMs?: number
}

/** The part of a route that a call needs. */
export type CallRoute = Pick<Route, 'method' | 'path' | 'events'>
export type CallArgs = RequestOptions & { query?: object; body?: unknown } & Record<string, unknown>
/** How a stream is read. */
export type EventOptions = EventListeners & { wantsEvents?: boolean }
export type CallAnswer = { status: number; headers: Headers; body: unknown }

const timeoutMsDefault = 60_000

/** Sends a request once. Throws an ApiError for a refusal, and a ConnectionError if there is no answer. */
export async function sendOnce(
  options: ClientOptions,
  route: CallRoute,
  args: CallArgs,
  { wantsEvents = false, ...listeners }: EventOptions = {},
): Promise<CallAnswer> {
  const timeoutMs = args.timeoutMs ?? options.timeoutMs ?? (route.events ? undefined : timeoutMsDefault)
  const limit = limitTime(args.signal, timeoutMs)
  let isStream = false
  try {
    const response = await (options.fetch ?? fetch)(addressOf(options.baseUrl, route, args), {
      method: route.method,
      headers: { ...headersOf(options, route, args), ...(wantsEvents && { accept: 'text/event-stream' }) },
      ...(args.body !== undefined && { body: JSON.stringify(args.body) }),
      signal: limit.signal,
    })
    isStream = isEventStream(response)
    const body = await bodyOf(response, listeners)
    if (!response.ok) throw new ApiError(response.status, body, response.headers)
    return { status: response.status, headers: response.headers, body }
  } catch (error) {
    if (error instanceof ApiError || error instanceof SyntaxError || args.signal?.aborted) throw error
    if (limit.isOver()) throw new TimeoutError(`The server did not answer within ${timeoutMs} ms.`, { cause: error })
    throw new ConnectionError('The server could not be reached, or the connection broke.', { cause: error })
  } finally {
    limit.release(isStream)
  }
}

/** The caller's signal with a time limit. A stream goes on after its release, and the caller's signal still ends it. */
function limitTime(signal: AbortSignal | undefined, timeoutMs: number | undefined) {
  const controller = new AbortController()
  let isOver = false
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          isOver = true
          controller.abort()
        }, timeoutMs)
  const abort = () => controller.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  const release = (isStream: boolean) => {
    clearTimeout(timer)
    if (!isStream) signal?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, isOver: () => isOver, release }
}

function addressOf(baseUrl: string, route: CallRoute, args: CallArgs): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(args[name])))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(args.query ?? {})) if (value !== undefined) query.set(name, String(value))
  const text = query.toString()
  return `${baseUrl.replace(/(?<!\/)\/+$/, '')}${path}${text === '' ? '' : `?${text}`}`
}

function headersOf(options: ClientOptions, route: CallRoute, args: CallArgs): Record<string, string> {
  const csrf = route.method === 'GET' ? undefined : options.csrf?.()
  return {
    ...(csrf !== undefined && { 'x-csrf-token': csrf }),
    ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
    ...(args.body !== undefined && { 'content-type': 'application/json' }),
    ...(args.ifMatch !== undefined && { 'if-match': args.ifMatch }),
    ...(args.ifNoneMatch !== undefined && { 'if-none-match': args.ifNoneMatch }),
    ...(args.idempotencyKey !== undefined && { 'idempotency-key': args.idempotencyKey }),
    ...(args.lastEventId !== undefined && { 'last-event-id': args.lastEventId }),
  }
}

async function bodyOf(response: Response, listeners: EventListeners): Promise<unknown> {
  if (response.status === 204) return undefined
  const type = response.headers.get('content-type') ?? ''
  if (isEventStream(response)) return readEvents(response, listeners)
  if (type.startsWith('image/')) return new Uint8Array(await response.arrayBuffer())
  const text = await response.text()
  return type.startsWith('application/json') ? JSON.parse(text) : text
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}
