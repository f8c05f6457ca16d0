import { type RpcAnswer, readRpcMessage, resultOf, rpcRequest } from '../../json-rpc.ts'
import { UpstreamError } from '../../world.ts'
import type { Endpoint, EndpointOptions } from './endpoint.ts'

type Waiting = { settle(answer: RpcAnswer): void; fail(error: UpstreamError): void }

/** One socket for all requests, opened by the first and again by the next one after it was lost. */
export class WsEndpoint implements Endpoint {
  readonly url: string
  readonly #host: string
  readonly #options: EndpointOptions
  readonly #waiting = new Map<number, Waiting>()
  #opening: Promise<WebSocket> | undefined
  #lastId = 0
  #heardAt = 0

  constructor(url: string, options: EndpointOptions) {
    this.url = url
    this.#host = new URL(url).host
    this.#options = options
  }

  async request(method: string, params: unknown, timeoutMs: number): Promise<unknown> {
    const startedAt = performance.now()
    const socket = await this.#open(timeoutMs)
    this.#lastId += 1
    const id = this.#lastId
    const leftMs = Math.max(1, timeoutMs - (performance.now() - startedAt))
    const { promise, resolve, reject } = Promise.withResolvers<RpcAnswer>()
    this.#waiting.set(id, { settle: resolve, fail: reject })
    const timer = setTimeout(() => reject(this.#late(socket, startedAt, timeoutMs)), leftMs)
    try {
      socket.send(rpcRequest(id, method, params))
      return resultOf(await promise, this.#host, id)
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(id)
    }
  }

  async close(): Promise<void> {
    const socket = await this.#opening?.catch(() => undefined)
    socket?.close()
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
      this.#lose(new UpstreamError('failed', `${this.#host} closed the connection.`)),
    )
    return socket
  }

  /** Notifications, and answers that came too late, concern nobody. */
  #hear(data: unknown, socket: WebSocket): void {
    this.#heardAt = performance.now()
    try {
      const answer = readRpcMessage(typeof data === 'string' ? data : '', this.#host)
      if (typeof answer.id === 'number') this.#waiting.get(answer.id)?.settle(answer)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      this.#lose(error)
      socket.close()
    }
  }

  /** A socket on which nothing came since is taken for dead: a lost network never says that it closed. */
  #late(socket: WebSocket, startedAt: number, timeoutMs: number): UpstreamError {
    const late = new UpstreamError('timeout', `${this.#host} did not answer within ${timeoutMs} ms.`)
    if (this.#heardAt < startedAt) {
      this.#lose(late)
      socket.close()
    }
    return late
  }

  #lose(error: UpstreamError): void {
    this.#opening = undefined
    for (const each of this.#waiting.values()) each.fail(error)
    this.#waiting.clear()
  }
}
