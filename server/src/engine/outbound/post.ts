import type { Dispatcher } from 'undici'
import type { OutboundPost, OutboundResponse } from './door.ts'
import { isReusedConnection, joinHeaderValues } from './fetch.ts'
import { firstHop } from './hop.ts'
import { UpstreamError, upstreamError } from './upstream-error.ts'

/** This much of an unwanted answer is read, so that its connection can be used again. A longer answer is cut. */
const drainedBytesMax = 64 * 1024

/** Sends one request within a deadline. It follows no redirects and keeps at most `responseBytesMax` of the answer. */
export async function postOnce(agent: Dispatcher, address: string, request: OutboundPost): Promise<OutboundResponse> {
  const { url, ...sent } = firstHop(address, { method: 'POST', ...request })
  const { host, origin, href, pathname, search } = url
  const options = { ...sent, origin, path: pathname + search, headers: { 'user-agent': 'tocsin', ...sent.headers } }
  const { timeoutMs, responseBytesMax, signal } = request
  const send = () => {
    const answer = new AnswerStart(responseBytesMax)
    agent.dispatch(options, answer)
    return answer
  }
  let answer = send()
  const onAbort = () => answer.end(new UpstreamError('failed', `The call to ${host} was cancelled.`))
  const onTimeout = () => answer.end(new UpstreamError('timeout', `${host} did not answer within ${timeoutMs} ms.`))
  const timer = setTimeout(onTimeout, timeoutMs)
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) onAbort()
  try {
    const { status, headers, text } = await answer.done.catch((error: unknown) => {
      // A server may close an idle connection just when it is reused.
      if (!isReusedConnection(error) || answer.status > 0) throw error
      answer = send()
      return answer.done
    })
    return { status, headers, text, url: href }
  } catch (error) {
    throw upstreamError(error, { host, timeoutMs, isTimedOut: false })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Takes the answer to one request. Unlike a stream it costs little, and deliveries send thousands of requests. */
class AnswerStart implements Dispatcher.DispatchHandler {
  status = 0
  readonly done: Promise<Omit<OutboundResponse, 'url'>>
  readonly #bytesMax: number
  readonly #end = Promise.withResolvers<Omit<OutboundResponse, 'url'>>()
  #controller: Dispatcher.DispatchController | undefined
  #headers: Dispatcher.ResponseData['headers'] = {}
  #failure: Error | undefined
  #bytes = 0
  readonly #chunks: Buffer[] = []

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
    this.done = this.#end.promise
  }

  /** The request may still wait for a connection. */
  end(error: Error): void {
    this.#failure = error
    this.#end.reject(error)
    this.#controller?.abort(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#failure) controller.abort(this.#failure)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Dispatcher.ResponseData['headers']): void {
    this.status = status
    this.#headers = headers
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#bytes < this.#bytesMax) this.#chunks.push(chunk.subarray(0, this.#bytesMax - this.#bytes))
    this.#bytes += chunk.length
    if (this.#bytes <= Math.max(this.#bytesMax, drainedBytesMax)) return
    this.onResponseEnd()
    controller.abort(new Error('The rest of the answer is not wanted.'))
  }

  onResponseEnd(): void {
    const text = new TextDecoder().decode(Buffer.concat(this.#chunks))
    this.#end.resolve({ status: this.status, headers: joinHeaderValues(this.#headers), text })
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end.reject(error)
  }
}
