/** JSON-RPC over several endpoints of one network, through the guarded door: what one does not answer, the next may. */
import { RpcError } from '../../json-rpc.ts'
import { type Door, UpstreamError } from '../../world.ts'
import { type Endpoint, isEndpointsFault } from './endpoint.ts'
import { Health } from './health.ts'
import { httpEndpoint } from './http-endpoint.ts'
import { WsEndpoint } from './ws-endpoint.ts'

export { RpcError } from '../../json-rpc.ts'

export type RpcPoolOptions = { door: Door; timeoutMs: number; responseBytesMax: number; now?: () => number }
export type RpcPool = {
  /** Throws an RpcError when the method itself failed, an UpstreamError when no endpoint served it in time. */
  request(method: string, params?: unknown): Promise<unknown>
  /** One endpoint by itself, without failover: what verification looks at. */
  perEndpoint(url: string): { request(method: string, params?: unknown): Promise<unknown> }
  close(): Promise<void>
}

/** The least that an endpoint gets before the next one is asked; fewer are asked when the time is short. */
const attemptLeastMs = 2000

export function openRpcPool(endpoints: readonly string[], options: RpcPoolOptions): RpcPool {
  const { timeoutMs, now = () => performance.now() } = options
  const all = endpoints.map((url) => new Health(endpointAt(url, options), now))
  return {
    request: (method, params) => requestAny(inOrder(all), method, params, { timeoutMs, now }),
    perEndpoint(url) {
      const found = all.find(({ endpoint }) => endpoint.url === url)
      if (!found) throw new Error('perEndpoint takes one of the endpoints that the pool was opened with')
      return { request: (method, params) => found.endpoint.request(method, params, timeoutMs) }
    },
    close: async () => void (await Promise.all(all.map(({ endpoint }) => endpoint.close()))),
  }
}

function endpointAt(url: string, options: RpcPoolOptions): Endpoint {
  if (!URL.canParse(url)) throw new UpstreamError('refused', 'The address of an endpoint is not a valid URL.')
  return /^wss?:/i.test(url) ? new WsEndpoint(url, options) : httpEndpoint(url, options)
}

/** Rested ones in the order they were given, then those that rest, the soonest first. */
function inOrder(all: readonly Health[]): Health[] {
  return [...all].sort((a, b) => a.restMs - b.restMs)
}

type Time = { timeoutMs: number; now: () => number }

async function requestAny(order: Health[], method: string, params: unknown, { timeoutMs, now }: Time) {
  const endsAt = now() + timeoutMs
  const failures: UpstreamError[] = []
  const willing = order.filter((health) => !health.mustRest)
  for (const [index, health] of willing.entries()) {
    const leftMs = Math.floor(endsAt - now())
    if (leftMs <= 0) break
    const shareMs = Math.min(leftMs, Math.max(attemptLeastMs, Math.floor(leftMs / (willing.length - index))))
    const attempt = await requestOne(health, method, params, shareMs)
    if (attempt.ok) return attempt.result
    failures.push(attempt.failure)
  }
  throw failures.length > 0 ? together(failures) : resting(order)
}

type Attempt = { ok: true; result: unknown } | { ok: false; failure: UpstreamError }

/** A failure is the endpoint's; an error of the method itself is thrown, and speaks for the endpoint's health. */
async function requestOne(health: Health, method: string, params: unknown, timeoutMs: number): Promise<Attempt> {
  try {
    const result = await health.endpoint.request(method, params, timeoutMs)
    health.succeeded()
    return { ok: true, result }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    if (isEndpointsFault(error)) {
      health.failed(error)
      return { ok: false, failure: error }
    }
    health.succeeded()
    throw error
  }
}

/** A method's own error says most; else every sentence, so that a tenant sees which endpoint has which trouble. */
function together(failures: UpstreamError[]): UpstreamError {
  const answered = failures.find((failure) => failure instanceof RpcError)
  if (answered) return answered
  const [kind = 'failed', ...others] = new Set(failures.map((failure) => failure.kind))
  return new UpstreamError(others.length > 0 ? 'failed' : kind, failures.map(({ message }) => message).join(' '))
}

function resting(order: Health[]): UpstreamError {
  if (order.length === 0) return new UpstreamError('failed', 'The network has no endpoint.')
  const seconds = Math.ceil(Math.min(...order.map(({ restMs }) => restMs)) / 1000)
  return new UpstreamError('failed', `Every endpoint asked to slow down; the first is free again in ${seconds} s.`)
}
