import { type Dispatcher, errors } from 'undici'
import type { OutboundPost, OutboundResponse } from '../world.ts'
import { UpstreamError } from '../world.ts'
import { upstreamError } from './errors.ts'
import { firstHop, type Hop } from './hop.ts'

/** Of an answer that nobody wants to read so much is still taken in, for the connection's sake; beyond that it is cut. */
const drainedBytesMax = 64 * 1024

/**
 * One POST within a deadline, for messages that go out by the thousand: redirects are answers, and of the body only as
 * much is kept as was asked for. It spares the streams and signals that a whole exchange needs.
 */
export async function postThrough(agent: Dispatcher, address: string, asked: OutboundPost): Promise<OutboundResponse> {
  const hop = firstHop(address, { method: asked.method ?? 'POST', headers: asked.headers, body: asked.body })
  const deadlineMs = performance.now() + asked.timeoutMs
  const send = () => dispatch(agent, hop, asked, deadlineMs)
  try {
    // A server may close an idle connection at the moment it is used again.
    return await send().catch((error) => (wasReused(error) ? send() : Promise.reject(error)))
  } catch (error) {
    throw upstreamError(error, { host: hop.url.host, timeoutMs: asked.timeoutMs, isOver: false })
  }
}

/** Only a connection that had answered before has read anything when it is cut without an answer. */
export function wasReused(error: unknown): boolean {
  return error instanceof errors.SocketError && (error.socket?.bytesRead ?? 0) > 0
}

function dispatch(agent: Dispatcher, hop: Hop, asked: OutboundPost, deadlineMs: number): Promise<OutboundResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<OutboundResponse>()
  const answer = new Answer(hop, asked.responseBytesMax, resolve, reject)
  const over = () => answer.fail(tooLate(hop, asked.timeoutMs))
  answer.timer = setTimeout(over, Math.max(0, deadlineMs - performance.now()))
  const headers = { 'user-agent': 'tocsin', ...hop.headers }
  const { origin, pathname, search } = hop.url
  agent.dispatch({ origin, path: pathname + search, method: hop.method, headers, body: hop.body ?? '' }, answer)
  return asked.signal ? unlessAborted(asked.signal, promise, () => answer.fail(givenUp(hop))) : promise
}

/** A signal outlives the requests that it ends, so none of them stays known to it. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>, end: () => void): Promise<T> {
  if (signal.aborted) end()
  else signal.addEventListener('abort', end)
  return work.finally(() => signal.removeEventListener('abort', end))
}

function givenUp(hop: Hop): UpstreamError {
  return new UpstreamError('failed', `Nobody waits for ${hop.url.host} any longer.`)
}

function tooLate(hop: Hop, timeoutMs: number): UpstreamError {
  return new UpstreamError('timeout', `${hop.url.host} did not answer within ${timeoutMs} ms.`)
}

/** Takes an answer in as undici reads it from the wire. */
class Answer implements Dispatcher.DispatchHandler {
  timer: NodeJS.Timeout | undefined
  private controller: Dispatcher.DispatchController | undefined
  private failure: Error | undefined
  private status = 0
  private headers: Record<string, string> = {}
  private readonly chunks: Buffer[] = []
  private bytes = 0
  private readonly hop: Hop
  private readonly bytesMax: number
  private readonly resolve: (response: OutboundResponse) => void
  private readonly reject: (error: Error) => void

  constructor(
    hop: Hop,
    bytesMax: number,
    resolve: (response: OutboundResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.hop = hop
    this.bytesMax = bytesMax
    this.resolve = resolve
    this.reject = reject
  }

  /** Also before there is a connection: whoever waited for one is told now, and the request is not sent later. */
  fail(error: Error): void {
    if (this.timer) clearTimeout(this.timer)
    this.failure ??= error
    this.controller?.abort(error)
    this.reject(this.failure)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.failure) controller.abort(this.failure)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: object): void {
    this.status = status
    for (const [name, value] of Object.entries(headers))
      this.headers[name] = Array.isArray(value) ? value.join(', ') : String(value)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.bytes < this.bytesMax) this.chunks.push(chunk.subarray(0, this.bytesMax - this.bytes))
    this.bytes += chunk.length
    if (this.bytes <= Math.max(this.bytesMax, drainedBytesMax)) return
    this.finish()
    controller.abort(new UpstreamError('too_large', `${this.hop.url.host} answered more than anybody reads.`))
  }

  onResponseEnd(): void {
    this.finish()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error)
  }

  private finish(): void {
    if (this.timer) clearTimeout(this.timer)
    const text = this.chunks.length === 0 ? '' : new TextDecoder().decode(Buffer.concat(this.chunks))
    this.resolve({ status: this.status, headers: this.headers, text, url: this.hop.url.href })
  }
}
