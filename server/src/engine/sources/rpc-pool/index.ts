/** JSON-RPC over several endpoints of one network, through the guarded door. When one fails, the next one is asked. */
import type { RecordCall } from '../../../metrics/index.ts'
import type { Door } from '../../outbound/door.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { AnswerSizes } from '../answer-sizes.ts'
import type { HeadListener, HeadStream, HeadStreamOptions } from '../connection.ts'
import type { EndpointReport } from '../endpoint-report.ts'
import { Announcements } from './announcements.ts'
import { countCalls } from './count-calls.ts'
import type { Endpoint, EndpointOptions } from './endpoint.ts'
import { type AskCall, type Asking, type AtOneCall, askAny } from './failover.ts'
import { type AlsoAnswers, HeadBlock } from './head-block.ts'
import { type HeadSubscription, Heads } from './heads.ts'
import { Health, type NoticeListener } from './health.ts'
import { httpEndpoint } from './http-endpoint.ts'
import { type HeadCall, Lag } from './lag.ts'
import { Network, type NetworkCall } from './network.ts'
import type { After } from './second-tries.ts'
import { withinLimits } from './within-limits.ts'
import { WsEndpoint } from './ws-endpoint.ts'

export { RpcError } from '../../outbound/json-rpc.ts'
export { preferAnnouncer } from './announcements.ts'
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
