/** JSON-RPC over several endpoints of one network, through the guarded door: what one does not answer, the next may. */
import type { Door } from '../../outbound/door.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { HeadListener, HeadStream, HeadStreamOptions } from '../connection.ts'
import type { EndpointReport } from '../endpoint-report.ts'
import { Announcements } from './announcements.ts'
import type { Endpoint, EndpointOptions } from './endpoint.ts'
import { type Asking, type AskOptions, askAny, type OneEndpoint } from './failover.ts'
import { type AlsoAnswers, HeadBlock } from './head-block.ts'
import { type HeadSubscription, Heads } from './heads.ts'
import { Health, type Tell } from './health.ts'
import { httpEndpoint } from './http-endpoint.ts'
import { type HeadCall, Lag } from './lag.ts'
import { Network, type NetworkCall } from './network.ts'
import { reportOf } from './report.ts'
import { withinLimits } from './within-limits.ts'
import { WsEndpoint } from './ws-endpoint.ts'

export { RpcError } from '../../outbound/json-rpc.ts'
export { preferring } from './announcements.ts'
export { explainForeign, explaining, isEndpointsFault, isUnknownMethod, saidBy } from './endpoint.ts'
export type { AskOptions, OneEndpoint } from './failover.ts'
export type { HeadSubscription } from './heads.ts'
export type { HeadCall } from './lag.ts'
export type { NetworkCall } from './network.ts'

export type RpcPoolOptions = {
  door: Door
  timeoutMs: number
  responseBytesMax: number
  now?: () => number
  /** How many calls one HTTP request may carry; 1 unless told. */
  batchMaxCount?: number
  /** Absent: whatever an endpoint serves is believed to be the network. */
  network?: NetworkCall
  /** Absent: endpoints that lag behind are not told from the others. */
  head?: HeadCall
  /** Another call that an answer to the call for the head answers too; see `HeadBlock`. */
  alsoAnswers?: AlsoAnswers
  /** How long a call may wait for the limits of the endpoints, beside its time; 0 unless told. */
  limitWaitMs?: number | undefined
  /** What the owner of the source should read in its log. */
  onNotice?: Tell
}
export type RpcPool = {
  /**
   * A call that a caller wrote. Throws an RpcError when the method itself failed, an UpstreamError when no endpoint
   * served it in time.
   */
  request(method: string, params?: unknown): Promise<unknown>
  /** `read` throws an UpstreamError (bad_answer) at an answer that will not do: then the other endpoints are asked. */
  ask<T>(method: string, params: unknown, read: (answer: unknown) => T, options?: AskOptions): Promise<T>
  /**
   * Several calls to one endpoint, with failover as a whole: when `work` throws an UpstreamError that may be the
   * endpoint's own, it is done again at the next one.
   */
  atOne<T>(work: (at: OneEndpoint) => Promise<T>, options?: AskOptions): Promise<T>
  /** One endpoint by itself, without failover: what verification looks at. */
  perEndpoint(url: string): { request(method: string, params?: unknown): Promise<unknown> }
  /** New blocks as nodes push them, for as long as the stream is open: see `HeadListener`. */
  heads(subscription: HeadSubscription, listener: HeadListener, options?: HeadStreamOptions): HeadStream
  /** The endpoint that told of a block by itself just now: the others may not have it yet. */
  announcedBy(number: number): number | undefined
  /** Compares the heads of the endpoints now; while calls are made it happens by itself, every 15 s. */
  measureLag(): Promise<void>
  /** How each endpoint has been, in the order in which they were given. */
  report(): EndpointReport[]
  close(): Promise<void>
}

export function openRpcPool(endpoints: readonly string[], options: RpcPoolOptions): RpcPool {
  const { timeoutMs, now = () => performance.now() } = options
  const all = endpoints.map((url) => healthOf(url, { ...options, now }))
  // A single endpoint has nothing to be compared with, so it is not asked what it is, unless that is known already.
  const isWorthAsking = all.length > 1 || options.network?.expected !== undefined
  const network = new Network(isWorthAsking ? options.network : undefined, now)
  const lag = new Lag(all, { call: options.head, network, timeoutMs, now })
  const closing = new AbortController()
  const { signal } = closing
  const announcements = new Announcements()
  const askAll = <T>(asking: Asking<T>) => {
    lag.measureWhenDue()
    return askAny(all, network, asking, { timeoutMs, now, limitWaitMs: options.limitWaitMs, signal })
  }
  const ask: RpcPool['ask'] = (method, params, read, how) =>
    askAll({ method, work: async (at) => read(await at.request(method, params)), ...how })
  return {
    ask,
    atOne: (work, how) => askAll({ work, ...how }),
    request: (method, params) => ask(method, params, asItIs, { isCallers: true }),
    perEndpoint(url) {
      const found = all.find(({ endpoint }) => endpoint.url === url)
      if (!found) throw new Error('perEndpoint takes one of the endpoints that the pool was opened with')
      // Whoever looks at one endpoint asks much at once.
      const limitWaitMs = options.limitWaitMs ?? timeoutMs
      return {
        request: (method, params) =>
          withinLimits(found, network, { timeoutMs, now, limitWaitMs, signal })(method, params),
      }
    },
    heads: (subscription, listener, how) =>
      new Heads(all, network, subscription, announcements.pass(listener), { ...how, timeoutMs, now, signal }),
    announcedBy: (number) => announcements.by(number),
    measureLag: () => lag.measure(),
    report: () => all.map(reportOf),
    async close() {
      closing.abort()
      await Promise.all(all.map(({ endpoint }) => endpoint.close()))
    },
  }
}

const asItIs = (answer: unknown) => answer

function healthOf(url: string, options: RpcPoolOptions & { now: () => number }): Health {
  const { now, onNotice: tell = () => undefined, batchMaxCount = 1 } = options
  const onBatchRefused = () => health.tell('endpoint_without_batches', 'takes no batches; calls go one by one.')
  const headBlock = options.alsoAnswers && new HeadBlock(options.alsoAnswers, now)
  const endpoint = endpointAt(url, { ...options, batchMaxCount, onBatchRefused })
  const health = new Health(endpoint, { now, tell, headBlock })
  return health
}

function endpointAt(url: string, options: EndpointOptions): Endpoint {
  if (!URL.canParse(url)) throw new UpstreamError('refused', 'The address of an endpoint is not a valid URL.')
  return /^wss?:/i.test(url) ? new WsEndpoint(url, options) : httpEndpoint(url, options)
}
