/** JSON-RPC over several endpoints of one network, through the guarded door. When one fails, the next one is asked. */

import type { RecordCall, RpcOutcome } from '../../../metrics/index.ts'
import type { Door, OutboundResponse } from '../../outbound/door.ts'
import {
  RpcError,
  readRpcMessage,
  readRpcMessages,
  readRpcValue,
  requireResult,
  rpcRequest,
} from '../../outbound/json-rpc.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { type AnswerSizes, bytesMaxOf } from '../answer-sizes.ts'
import type { HeadListener, HeadStream, HeadStreamOptions } from '../connection.ts'
import type { EndpointReport } from '../endpoint-report.ts'
import { Batches, type Call } from './batches.ts'
import {
  type Endpoint,
  type EndpointOptions,
  isEndpointsFault,
  isOverload,
  NotServed,
  SlowDown,
  type TakeElement,
} from './endpoint.ts'
import { type AskCall, type Asking, type AtOneCall, askAny } from './failover.ts'
import { type AlsoAnswers, HeadBlock } from './head-block.ts'
import { type HeadSubscription, Heads } from './heads.ts'
import { Health, type NoticeListener } from './health.ts'
import { type HeadCall, Lag } from './lag.ts'
import { LargeAnswer, readTimes } from './large-answers.ts'
import { Network, type NetworkCall } from './network.ts'
import type { After } from './second-tries.ts'
import { withinLimits } from './within-limits.ts'
import { WsEndpoint } from './ws-endpoint.ts'

export { RpcError } from '../../outbound/json-rpc.ts'

export { explainWrongKind, isEndpointsFault, isUnknownMethod, messageWithoutHost, requireNodeKind } from './endpoint.ts'
export type { AskOptions, OneEndpoint } from './failover.ts'
export type { HeadSubscription } from './heads.ts'
export type { HeadCall } from './lag.ts'
export type { NetworkCall } from './network.ts'

export type RpcPoolOptions = {
  door: Door
  timeoutMs: number
  responseBytesMax: number
  /** The limit of each method, below `responseBytesMax`. */
  answerSizes: AnswerSizes
  now?: () => number
  after?: After
  /** How many calls one HTTP request may contain; the default is 1. */
  batchMaxCount?: number
  /** Without it, the pool does not check which network an endpoint belongs to. */
  network?: NetworkCall
  /** Without it, the pool does not detect lagging endpoints. */
  head?: HeadCall
  /** Returns another call that the answer to the head call also answers; see `HeadBlock`. */
  alsoAnswers?: AlsoAnswers
  /** How long a call may wait for rate limits, in addition to its timeout; the default is 0. */
  limitWaitMs?: number | undefined
  /** Receives the notices for the source's log. */
  onNotice?: NoticeListener
  /** Counts the calls to all endpoints. */
  recordCall?: RecordCall
}
export type RpcPool = {
  /**
   * A call that a caller wrote. Throws an RpcError when the method itself failed, or an UpstreamError when no endpoint
   * answered in time.
   */
  request(method: string, params?: unknown): Promise<unknown>
  /** `read` throws an UpstreamError (bad_answer) for an answer that cannot be used; then other endpoints are asked. */
  ask: AskCall
  /**
   * Several calls to one endpoint, with failover as a whole: when `work` throws an UpstreamError that the endpoint may have
   * caused, the work is repeated at the next endpoint.
   */
  atOne: AtOneCall
  /** One endpoint without failover, for verification. */
  perEndpoint(url: string): { request(method: string, params?: unknown): Promise<unknown> }
  /** New blocks as nodes push them, while the stream is open; see `HeadListener`. */
  heads(subscription: HeadSubscription, listener: HeadListener, options?: HeadStreamOptions): HeadStream
  /** The endpoint that just announced a block. The others may not have it yet. */
  announcedBy(number: number): number | undefined
  /** Compares the heads of the endpoints now. While calls are made, this happens every 15 s. */
  measureLag(): Promise<void>
  /** The state of each endpoint, in the given order. */
  report(): EndpointReport[]
  close(): Promise<void>
}

export function openRpcPool(endpoints: readonly string[], options: RpcPoolOptions): RpcPool {
  const { timeoutMs, now = () => performance.now(), after } = options
  const timers = after && { after }
  const all = endpoints.map((url, index) => openEndpoint(url, { ...options, now, place: placeOf(endpoints, index) }))
  // A single endpoint cannot be compared, so its network is only checked if the expected one is known.
  const isNetworkChecked = all.length > 1 || options.network?.expected !== undefined
  const network = new Network(isNetworkChecked ? options.network : undefined, now)
  const lag = new Lag(all, { call: options.head, network, timeoutMs, now })
  const closing = new AbortController()
  const { signal } = closing
  const announcements = new Announcements()
  const askAll = <T>(asking: Asking<T>) => {
    lag.measureWhenDue()
    return askAny(all, network, asking, { timeoutMs, now, ...timers, limitWaitMs: options.limitWaitMs, signal })
  }
  const ask: RpcPool['ask'] = (method, params, read, how) =>
    askAll({ method, work: async (at) => read(await at.request(method, params)), ...how })
  return {
    ask,
    atOne: (work, how) => askAll({ work, ...how }),
    request: (method, params) => ask(method, params, identity, { isCallers: true }),
    perEndpoint(url) {
      const found = all.find(({ endpoint }) => endpoint.url === url)
      if (!found) throw new Error('perEndpoint takes one of the endpoints that the pool was opened with')
      // Verification makes many calls at once, so they may wait for the endpoint's rate limit.
      const limitWaitMs = options.limitWaitMs ?? timeoutMs
      return {
        request: (method, params) =>
          withinLimits(found, network, { timeoutMs, now, ...timers, limitWaitMs, signal, mayRepeat: true })(
            method,
            params,
          ),
      }
    },
    heads: (subscription, listener, how) =>
      new Heads(all, network, subscription, announcements.recordFrom(listener), { ...how, timeoutMs, now, signal }),
    announcedBy: (number) => announcements.announcerOf(number),
    measureLag: () => lag.measure(),
    report: () => all.map(reportOf),
    async close() {
      closing.abort()
      await Promise.all(all.map(({ endpoint }) => endpoint.close()))
    },
  }
}

const identity = (answer: unknown) => answer

function placeOf(endpoints: readonly string[], index: number): number | undefined {
  const hosts = endpoints.map((url) => (URL.canParse(url) ? new URL(url).host : url))
  return hosts.filter((host) => host === hosts[index]).length > 1 ? index + 1 : undefined
}

type PlaceAndTime = { now: () => number; place: number | undefined }

function openEndpoint(url: string, options: RpcPoolOptions & PlaceAndTime): Health {
  const { now, place, onNotice = () => undefined, batchMaxCount = 1, recordCall } = options
  const onBatchRefused = () => health.notify('endpoint_without_batches', 'takes no batches; calls go one by one.')
  const headBlock = options.alsoAnswers && new HeadBlock(options.alsoAnswers, now)
  const opened = endpointAt(url, { ...options, batchMaxCount, onBatchRefused })
  const endpoint = recordCall ? countCalls(opened, recordCall, now) : opened
  const health = new Health(endpoint, { now, onNotice, headBlock, place })
  return health
}

function endpointAt(url: string, options: EndpointOptions): Endpoint {
  if (!URL.canParse(url)) throw new UpstreamError('refused', 'The address of an endpoint is not a valid URL.')
  return /^wss?:/i.test(url) ? new WsEndpoint(url, options) : httpEndpoint(url, options)
}

function reportOf({ host, counts, latencyMs, restMs, pace, head, lag, failure }: Health): EndpointReport {
  return {
    host,
    ...counts,
    latencyMs: latencyMs === null ? null : Math.round(latencyMs),
    restMs: Math.ceil(restMs),
    perSecond: pace.perSecond === null ? null : Math.round(pace.perSecond),
    ...(head !== undefined && { head }),
    ...(lag !== undefined && { lag }),
    ...(failure !== undefined && { failure }),
  }
}

/** The same endpoint, whose calls are counted by how they ended. */
function countCalls(endpoint: Endpoint, record: RecordCall, now: () => number): Endpoint {
  const counted = async (method: string, ask: () => Promise<unknown>) => {
    const startedAt = now()
    try {
      const answer = await ask()
      record(method, 'ok', now() - startedAt)
      return answer
    } catch (error) {
      record(method, outcomeOf(error), now() - startedAt)
      throw error
    }
  }
  return {
    url: endpoint.url,
    request: (method, ...rest) => counted(method, () => endpoint.request(method, ...rest)),
    requestLarge: (method, ...rest) => counted(method, () => endpoint.requestLarge(method, ...rest)),
    ...(endpoint.subscribe && { subscribe: endpoint.subscribe.bind(endpoint) }),
    close: () => endpoint.close(),
  }
}

function outcomeOf(error: unknown): RpcOutcome {
  if (!(error instanceof UpstreamError)) return 'failed'
  if (isOverload(error)) return 'limited'
  if (error instanceof RpcError && !isEndpointsFault(error)) return 'error'
  return error.kind === 'timeout' ? 'timeout' : 'failed'
}

/** For blocks further behind the announced head, every endpoint is assumed to have the block. */
const newestBlocks = 3

/** Remembers which endpoint announced the newest block, while the stream of heads is up. */
class Announcements {
  #latest: { number: number; from: number } | undefined

  recordFrom(listener: HeadListener): HeadListener {
    return {
      onUp: (host) => listener.onUp?.(host),
      onHead: (head, from) => {
        // An older head says nothing about the newest block.
        if (head.number >= (this.#latest?.number ?? 0)) this.#latest = { number: head.number, from }
        listener.onHead(head, from)
      },
      onDown: (reason) => {
        this.#latest = undefined
        listener.onDown?.(reason)
      },
    }
  }

  announcerOf(number: number): number | undefined {
    const latest = this.#latest
    return latest && number <= latest.number && number > latest.number - newestBlocks ? latest.from : undefined
  }
}

/** The same pool for a block by number: the endpoint that announced the block is asked first. */
export function preferAnnouncer<
  R extends { ask: AskCall; atOne: AtOneCall; announcedBy(number: number): number | undefined },
>(rpc: R, endpoints: readonly string[]): (number: number) => R {
  const pools = endpoints.map((_, prefer): R => {
    const ask: AskCall = (method, params, read, how) =>
      rpc.ask(method, params, read, { ...how, prefer: how?.prefer ?? prefer })
    const atOne: AtOneCall = (work, how) => rpc.atOne(work, { ...how, prefer: how?.prefer ?? prefer })
    return { ...rpc, ask, atOne }
  })
  return (number) => pools[rpc.announcedBy(number) ?? -1] ?? rpc
}

/** Statuses that mean that the endpoint does not serve us, whatever the body says. */
const refusals: Readonly<Record<number, string>> = {
  401: 'asks for a key (HTTP 401)',
  402: 'asks for payment (HTTP 402)',
  403: 'forbids the call (HTTP 403)',
  404: 'has nothing at this address (HTTP 404)',
}

function httpEndpoint(url: string, options: EndpointOptions): Endpoint {
  const { host } = new URL(url)
  const post = (body: string, calls: readonly Call[], timeoutMs: number) =>
    send(url, host, body, timeoutMs, { ...options, responseBytesMax: bytesMaxOfCalls(calls, options) })
  const one = async (call: Call, timeoutMs: number) => {
    const text = await post(rpcRequest(call.id, call.method, call.params), [call], timeoutMs)
    return requireResult(await readRpcMessage(text, host), host, call.id)
  }
  const many = async (calls: readonly Call[], timeoutMs: number) => {
    const body = `[${calls.map(({ id, method, params }) => rpcRequest(id, method, params)).join()}]`
    return readRpcMessages(await post(body, calls, timeoutMs), host)
  }
  const large = async (method: string, params: unknown, take: TakeElement, timeoutMs: number) => {
    const answer = new LargeAnswer(host, take, options)
    const limit = { ...options, responseBytesMax: readTimes * options.responseBytesMax }
    await send(url, host, rpcRequest(1, method, params), timeoutMs, limit, (chunk) => answer.write(chunk))
    return requireResult(readRpcValue(answer.end(), host), host, 1)
  }
  const batches = new Batches({ host, countMax: options.batchMaxCount, one, many, onRefused: options.onBatchRefused })
  const request: Endpoint['request'] = (...call) => batches.request(...call)
  return { url, request, requestLarge: large, close: async () => undefined }
}

function bytesMaxOfCalls(calls: readonly Call[], { answerSizes, responseBytesMax }: EndpointOptions): number {
  const bytes = calls.reduce((sum, { method }) => sum + bytesMaxOf(method, answerSizes), 0)
  return Math.min(responseBytesMax, bytes)
}

async function send(
  url: string,
  host: string,
  body: string,
  timeoutMs: number,
  options: EndpointOptions,
  takeBody?: (chunk: Uint8Array) => void,
) {
  const { door, responseBytesMax } = options
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const request = { method: 'POST', headers, body, timeoutMs, responseBytesMax, ...(takeBody && { takeBody }) }
  const response = await door.fetch(url, request)
  requireServed(response, host)
  return response.text
}

/** The body decides for other statuses, because some nodes send a method's own error with 400. */
function requireServed({ status, headers }: OutboundResponse, host: string): void {
  if (status === 429) throw new SlowDown(host, retryAfterMs(headers['retry-after']))
  if (status >= 500) throw new UpstreamError('failed', `${host} failed with HTTP ${status}.`)
  const refusal = refusals[status]
  if (refusal) throw new NotServed(`${host} ${refusal}.`)
}

/** The header is in seconds or a date. */
function retryAfterMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
