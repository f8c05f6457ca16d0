import { type RpcAnswer, readRpcMessage, resultOf, rpcRequest } from '../../outbound/json-rpc.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { Endpoint, EndpointOptions, Subscribe, Subscription, SubscriptionListener } from './endpoint.ts'
import { isSubscriptionId, Subscriptions } from './subscriptions.ts'

type Waiting = { settle(answer: RpcAnswer): void; fail(error: UpstreamError): void }
type OnAnswer = (answer: RpcAnswer) => void
type SocketOptions = Pick<EndpointOptions, 'door' | 'responseBytesMax'>

/** One socket for all requests, opened by the first and again by the next one after it was lost. */
export class WsEndpoint implements Endpoint {
  readonly url: string
  readonly #host: string
  readonly #options: SocketOptions
  readonly #waiting = new Map<number, Waiting>()
  readonly #subscriptions = new Subscriptions()
  #opening: Promise<WebSocket> | undefined
  #socket: WebSocket | undefined
  #lastId = 0
  #heardAt = 0

  constructor(url: string, options: SocketOptions) {
    this.url = url
    this.#host = new URL(url).host
    this.#options = options
  }

  async request(method: string, params: unknown, timeoutMs: number): Promise<unknown> {
    return this.#ask(method, params, timeoutMs)
  }

  async subscribe(call: Subscribe, listener: SubscriptionListener, timeoutMs: number): Promise<Subscription> {
    // The first notice may be read from the socket together with the answer, before anyone who awaits it goes on.
    const take = ({ result }: RpcAnswer) => this.#subscriptions.add(result, listener)
    const id = await this.#ask(call.method, call.params, timeoutMs, take)
    if (!isSubscriptionId(id))
      throw new UpstreamError('bad_answer', `${this.#host} answered ${call.method} without a name for it.`)
    const cancel = () => {
      if (!this.#subscriptions.remove(id)) return
      // Whether the node hears it does not matter: nobody listens here any more.
      this.#ask(call.unsubscribe, [id], timeoutMs).catch(() => undefined)
    }
    return { cancel }
  }

  async close(): Promise<void> {
    const socket = await this.#opening?.catch(() => undefined)
    socket?.close()
  }

  async #ask(method: string, params: unknown, timeoutMs: number, onAnswer?: OnAnswer): Promise<unknown> {
    const startedAt = performance.now()
    const socket = await this.#open(timeoutMs)
    this.#lastId += 1
    const id = this.#lastId
    const leftMs = Math.max(1, timeoutMs - (performance.now() - startedAt))
    const { promise, resolve, reject } = Promise.withResolvers<RpcAnswer>()
    const settle = (answer: RpcAnswer) => {
      onAnswer?.(answer)
      resolve(answer)
    }
    this.#waiting.set(id, { settle, fail: reject })
    const timer = setTimeout(() => reject(this.#late(socket, startedAt, timeoutMs)), leftMs)
    try {
      socket.send(rpcRequest(id, method, params))
      return resultOf(await promise, this.#host, id)
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
    const socket = await door.webSocket(this.url, { timeoutMs, messageBytesMax: responseBytesMax })
    socket.addEventListener('message', ({ data }) => this.#hear(data, socket))
    socket.addEventListener('close', () =>
      this.#lose(socket, new UpstreamError('failed', `${this.#host} closed the connection.`)),
    )
    this.#socket = socket
    return socket
  }

  /** Answers that came too late, and notices of what was cancelled, concern nobody. */
  #hear(data: unknown, socket: WebSocket): void {
    if (socket !== this.#socket) return
    this.#heardAt = performance.now()
    try {
      const answer = readRpcMessage(typeof data === 'string' ? data : '', this.#host)
      if (typeof answer.id === 'number') this.#waiting.get(answer.id)?.settle(answer)
      else this.#subscriptions.hear(answer)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      this.#lose(socket, error)
      socket.close()
    }
  }

  /** A socket on which nothing came since is taken for dead: a lost network never says that it closed. */
  #late(socket: WebSocket, startedAt: number, timeoutMs: number): UpstreamError {
    const late = new UpstreamError('timeout', `${this.#host} did not answer within ${timeoutMs} ms.`)
    if (this.#heardAt < startedAt) {
      this.#lose(socket, late)
      socket.close()
    }
    return late
  }

  /** A socket that was given up tells of its end only later, when another one may be in its place. */
  #lose(socket: WebSocket, error: UpstreamError): void {
    if (socket !== this.#socket) return
    this.#socket = undefined
    this.#opening = undefined
    for (const each of this.#waiting.values()) each.fail(error)
    this.#waiting.clear()
    this.#subscriptions.end(error)
  }
}
