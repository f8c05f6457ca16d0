import { ApiError, ConnectionError } from './error.ts'
import {
  type CallAnswer,
  type CallArgs,
  type CallRoute,
  type ClientOptions,
  type EventOptions,
  sendOnce,
} from './request.ts'

const retriesDefault = 3
const delayMsDefault = 250
const delayMsMax = 10_000
/** A server that asks for a longer wait gets no retry: the caller learns the time from the error. */
const retryAfterMsMax = 120_000
const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Sends a request, and again after a failure that passes, if the request may be repeated. */
export async function send(
  options: ClientOptions,
  route: CallRoute,
  args: CallArgs,
  events: EventOptions = {},
): Promise<CallAnswer> {
  const retriesMax = mayRepeat(route, args) ? (args.retries ?? options.retries ?? retriesDefault) : 0
  for (let retries = 0; ; retries++) {
    try {
      return await sendOnce(options, route, args, events)
    } catch (error) {
      const waitMs = retries < retriesMax ? waitMsAfter(error, backoffMs(options, retries)) : undefined
      if (waitMs === undefined) throw error
      await pause(waitMs, args.signal)
    }
  }
}

/** A repeated GET, PUT or DELETE changes nothing more. The service answers a POST with the same key once. */
function mayRepeat({ method }: CallRoute, { idempotencyKey }: CallArgs): boolean {
  return method === 'POST' ? idempotencyKey !== undefined : method !== 'PATCH'
}

export function isPassing(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && passingStatuses.has(error.status))
}

function waitMsAfter(error: unknown, delayMs: number): number | undefined {
  if (!isPassing(error)) return undefined
  const { retryAfterMs = 0 } = error instanceof ApiError ? error : {}
  return retryAfterMs > retryAfterMsMax ? undefined : Math.max(delayMs, retryAfterMs)
}

/** The random part spreads the retries of many clients. */
export function backoffMs({ retryDelayMs = delayMsDefault }: ClientOptions, retries: number): number {
  return Math.min(delayMsMax, retryDelayMs * 2 ** retries) * (0.5 + Math.random() / 2)
}

/** Rejects with the signal's reason when the signal aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
