import {
  idOf,
  type RpcAnswer,
  readRpcMessage,
  readRpcValue,
  requireResult,
  rpcRequest,
} from '../../outbound/json-rpc.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type {
  Endpoint,
  EndpointOptions,
  Subscribe,
  Subscription,
  SubscriptionListener,
  TakeElement,
} from './endpoint.ts'
import { keptTimes, LargeAnswer, tooLarge } from './large-answers.ts'
import { isSubscriptionId, Subscriptions } from './subscriptions.ts'

/** `take` is set if the answer may be larger than others. */
type Waiting = { settle(answer: RpcAnswer): void; fail(error: UpstreamError): void; take: TakeElement | undefined }
type AskOptions = { onAnswer?: (answer: RpcAnswer) => void; take?: TakeElement }
/** The id of an answer stands at its beginning or at its end. */
const idBytes = 300
type SocketOptions = Pick<EndpointOptions, 'door' | 'responseBytesMax'>

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
    this.#waiting.set(id, { settle, fail: reject, take: how.take })
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
    if (text.length > this.#options.responseBytesMax) {
      this.#handleLarge(text)
      return
    }
    try {
      const answer = readRpcMessage(text, this.#host)
      const id = idOf(answer)
      if (id !== undefined) this.#waiting.get(id)?.settle(answer)
      else this.#subscriptions.handleNotice(answer)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      this.#lose(socket, error)
      socket.close()
    }
  }

  /** Only a call that expects it gets an answer beyond the limit. */
  #handleLarge(text: string): void {
    const ends = `${text.slice(0, idBytes)} ${text.slice(-idBytes)}`
    const waiting = this.#waiting.get(Number(/"id"\s*:\s*"?(\d+)/.exec(ends)?.[1]))
    if (!waiting?.take) {
      waiting?.fail(tooLarge(this.#host, this.#options.responseBytesMax))
      return
    }
    try {
      const answer = new LargeAnswer(this.#host, waiting.take, this.#options)
      answer.write(Buffer.from(text))
      waiting.settle(readRpcValue(answer.end(), this.#host))
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      waiting.fail(error)
    }
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
