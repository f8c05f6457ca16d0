import { waitForTurn } from '../../base/event-loop-turns.ts'
import { isObject } from '../../base/json.ts'
import {
  idOf,
  type RpcAnswer,
  readRpcMessage,
  readRpcValue,
  readSmallRpcMessage,
  requireResult,
  rpcRequest,
} from '../../outbound/json-rpc.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { bytesMaxOf } from '../answer-sizes.ts'
import type {
  Endpoint,
  EndpointOptions,
  Subscribe,
  Subscription,
  SubscriptionListener,
  TakeElement,
} from './endpoint.ts'
import { keptTimes, LargeAnswer, tooLarge } from './large-answers.ts'

/** `take` is set if the answer may be larger than others. */
type Waiting = {
  settle(answer: RpcAnswer): void
  fail(error: UpstreamError): void
  bytesMax: number
  take: TakeElement | undefined
}
type AskOptions = { onAnswer?: (answer: RpcAnswer) => void; take?: TakeElement }
/** The id of an answer stands at its beginning or at its end. */
const idBytes = 300
/** Of a message beyond the limits, parsed in one turn of the event loop. */
const stepBytes = 64 * 1024
/** A message up to this length is parsed before the next one, so that notices stay in their order. A longer one must answer a call. */
const atOnceChars = 64 * 1024
/** Of messages that answer no call, such as announced blocks, in one second. The busiest chain announces ten. */
const [messagesMax, charsMax] = [500, 8 * 1024 * 1024]
const secondMs = 1_000
type SocketOptions = Pick<EndpointOptions, 'door' | 'responseBytesMax' | 'answerSizes'>

/** One socket for all requests. The first request opens it, and the next request opens it again after it was lost. */
export class WsEndpoint implements Endpoint {
  readonly url: string
  readonly #host: string
  readonly #options: SocketOptions
  readonly #waiting = new Map<number, Waiting>()
  readonly #subscriptions = new Subscriptions()
  #opening: Promise<WebSocket> | undefined
  #socket: WebSocket | undefined
  #lastId = 0
  #lastMessageAt = 0
  readonly #flood = new Flood()

  constructor(url: string, options: SocketOptions) {
    this.url = url
    this.#host = new URL(url).host
    this.#options = options
  }

  async request(method: string, params: unknown, timeoutMs: number): Promise<unknown> {
    return this.#ask(method, params, timeoutMs)
  }

  requestLarge(method: string, params: unknown, take: TakeElement, timeoutMs: number): Promise<unknown> {
    return this.#ask(method, params, timeoutMs, { take })
  }

  async subscribe(call: Subscribe, listener: SubscriptionListener, timeoutMs: number): Promise<Subscription> {
    // The socket may deliver the first notification together with the answer, before the awaiting code continues.
    const onAnswer = ({ result }: RpcAnswer) => this.#subscriptions.add(result, listener)
    const id = await this.#ask(call.method, call.params, timeoutMs, { onAnswer })
    if (!isSubscriptionId(id))
      throw new UpstreamError('bad_answer', `${this.#host} answered ${call.method} without a subscription id.`)
    const cancel = () => {
      if (!this.#subscriptions.remove(id)) return
      // The answer does not matter, because the listener is already removed.
      this.#ask(call.unsubscribe, [id], timeoutMs).catch(() => undefined)
    }
    return { cancel }
  }

  async close(): Promise<void> {
    const socket = await this.#opening?.catch(() => undefined)
    socket?.close()
  }

  async #ask(method: string, params: unknown, timeoutMs: number, how: AskOptions = {}): Promise<unknown> {
    const startedAt = performance.now()
    const socket = await this.#open(timeoutMs)
    this.#lastId += 1
    const id = this.#lastId
    const leftMs = Math.max(1, timeoutMs - (performance.now() - startedAt))
    const { promise, resolve, reject } = Promise.withResolvers<RpcAnswer>()
    const settle = (answer: RpcAnswer) => {
      how.onAnswer?.(answer)
      resolve(answer)
    }
    const bytesMax = Math.min(this.#options.responseBytesMax, bytesMaxOf(method, this.#options.answerSizes))
    this.#waiting.set(id, { settle, fail: reject, bytesMax, take: how.take })
    const timer = setTimeout(() => reject(this.#late(socket, startedAt, timeoutMs)), leftMs)
    try {
      socket.send(rpcRequest(id, method, params))
      return requireResult(await promise, this.#host, id)
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(id)
    }
  }

  #open(timeoutMs: number): Promise<WebSocket> {
    this.#opening ??= this.#connect(timeoutMs).catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #connect(timeoutMs: number): Promise<WebSocket> {
    const { door, responseBytesMax } = this.#options
    const socket = await door.webSocket(this.url, { timeoutMs, messageBytesMax: keptTimes * responseBytesMax })
    socket.addEventListener('message', ({ data }) => this.#handleMessage(data, socket))
    socket.addEventListener('close', () =>
      this.#lose(socket, new UpstreamError('failed', `${this.#host} closed the connection.`)),
    )
    this.#socket = socket
    return socket
  }

  /** Ignores late answers and notifications of cancelled subscriptions. */
  #handleMessage(data: unknown, socket: WebSocket): void {
    if (socket !== this.#socket) return
    this.#lastMessageAt = performance.now()
    const text = typeof data === 'string' ? data : ''
    try {
      const isAnswer = text.length > atOnceChars ? this.#handleLarge(text) : this.#handleSmall(text)
      if (!isAnswer && this.#flood.isOver(text.length))
        throw new UpstreamError('failed', `${this.#host} sends more messages than anybody asked for.`)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      this.#lose(socket, error)
      socket.close()
    }
  }

  /** Returns false if the message does not answer a call. */
  #handleSmall(text: string): boolean {
    const answer = readSmallRpcMessage(text, this.#host)
    const id = idOf(answer)
    const waiting = id === undefined ? undefined : this.#waiting.get(id)
    if (id === undefined) this.#subscriptions.handleNotice(answer)
    waiting?.settle(answer)
    return waiting !== undefined
  }

  /** Only a call that expects it gets a long answer. Returns false if the message does not answer a call. */
  #handleLarge(text: string): boolean {
    const ends = `${text.slice(0, idBytes)} ${text.slice(-idBytes)}`
    const waiting = this.#waiting.get(Number(/"id"\s{0,9}:\s{0,9}"?(\d{1,15})/.exec(ends)?.[1]))
    if (!waiting) return false
    void this.#readLarge(text, waiting).then(waiting.settle, (error) =>
      waiting.fail(error instanceof UpstreamError ? error : new UpstreamError('bad_answer', String(error))),
    )
    return true
  }

  async #readLarge(text: string, { take, bytesMax }: Waiting): Promise<RpcAnswer> {
    if (text.length <= bytesMax) return readRpcMessage(text, this.#host)
    if (!take) throw tooLarge(this.#host, bytesMax)
    const answer = new LargeAnswer(this.#host, take, this.#options)
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += stepBytes) {
      await waitForTurn()
      answer.write(bytes.subarray(at, at + stepBytes))
    }
    return readRpcValue(answer.end(), this.#host)
  }

  /** A socket without any message since the call counts as dead, because a lost network does not close it. */
  #late(socket: WebSocket, startedAt: number, timeoutMs: number): UpstreamError {
    const late = new UpstreamError('timeout', `${this.#host} did not answer within ${timeoutMs} ms.`)
    if (this.#lastMessageAt < startedAt) {
      this.#lose(socket, late)
      socket.close()
    }
    return late
  }

  /** An abandoned socket reports its end later, when another socket may have replaced it. */
  #lose(socket: WebSocket, error: UpstreamError): void {
    if (socket !== this.#socket) return
    this.#socket = undefined
    this.#opening = undefined
    for (const waiting of this.#waiting.values()) waiting.fail(error)
    this.#waiting.clear()
    this.#subscriptions.end(error)
  }
}

/** Counts what a web socket sends without being asked. */
class Flood {
  #secondBegan = 0
  #messages = 0
  #chars = 0

  /** Counts one more message. Returns true if they are too many, or too long. */
  isOver(chars: number, now = performance.now()): boolean {
    if (now - this.#secondBegan >= secondMs) [this.#secondBegan, this.#messages, this.#chars] = [now, 0, 0]
    this.#messages += 1
    this.#chars += chars
    return this.#messages > messagesMax || this.#chars > charsMax
  }
}

/** The subscriptions of one socket by the id that the node assigned: a text, on Solana a number. */
class Subscriptions {
  readonly #listeners = new Map<string, SubscriptionListener>()

  add(id: unknown, listener: SubscriptionListener): void {
    if (isSubscriptionId(id)) this.#listeners.set(String(id), listener)
  }

  /** Returns whether it existed. */
  remove(id: unknown): boolean {
    return this.#listeners.delete(String(id))
  }

  /** All chains use `{method, params: {subscription, result}}`. Other messages that were not requested are ignored. */
  handleNotice({ params }: RpcAnswer): void {
    if (isObject(params)) this.#listeners.get(String(params.subscription))?.onNotice(params.result)
  }

  end(error: UpstreamError): void {
    const ended = [...this.#listeners.values()]
    this.#listeners.clear()
    for (const { onEnd } of ended) onEnd(error)
  }
}

function isSubscriptionId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number'
}
