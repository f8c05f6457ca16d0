import { type RpcAnswer, RpcError, resultOf } from '../../outbound/json-rpc.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { isEndpointsFault } from './endpoint.ts'

export type Call = { id: number; method: string; params: unknown }
type Waiting = { call: Call; endsAt: number; resolve(result: unknown): void; reject(error: unknown): void }
export type BatchesOptions = {
  host: string
  countMax: number
  one(call: Call, timeoutMs: number): Promise<unknown>
  many(calls: readonly Call[], timeoutMs: number): Promise<RpcAnswer[] | RpcAnswer>
  onRefused?: () => void
}

/**
 * Calls that are made in the same turn of the event loop go out together. A node that refuses a batch gets smaller ones,
 * in the end single calls; each caller sees his own answer either way.
 */
export class Batches {
  readonly #options: BatchesOptions
  #countMax: number
  #lastId = 0
  #waiting: Waiting[] = []

  constructor(options: BatchesOptions) {
    this.#options = options
    this.#countMax = options.countMax
  }

  request(method: string, params: unknown, timeoutMs: number): Promise<unknown> {
    this.#lastId += 1
    const call = { id: this.#lastId, method, params }
    if (this.#countMax <= 1) return this.#options.one(call, timeoutMs)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    if (this.#waiting.length === 0) setImmediate(() => this.#flush())
    this.#waiting.push({ call, endsAt: performance.now() + timeoutMs, resolve, reject })
    if (this.#waiting.length >= this.#countMax) this.#flush()
    return promise
  }

  #flush(): void {
    const waiting = this.#waiting.splice(0)
    for (let at = 0; at < waiting.length; at += this.#countMax) void this.#send(waiting.slice(at, at + this.#countMax))
  }

  /** Never rejects: what goes wrong is told to those who wait. */
  async #send(waiting: readonly Waiting[]): Promise<void> {
    const [first, ...others] = waiting
    if (!first) return
    if (others.length === 0) return this.#sendOne(first)
    try {
      const calls = waiting.map(({ call }) => call)
      const timeoutMs = Math.max(...waiting.map(leftMs))
      this.#settle(waiting, requireAnswers(await this.#options.many(calls, timeoutMs), this.#options.host))
    } catch (error) {
      if (mayBeTheBatch(error)) await this.#sendLess(first, others, error)
      else for (const each of waiting) each.reject(error)
    }
  }

  async #sendOne(waiting: Waiting): Promise<void> {
    await this.#options.one(waiting.call, leftMs(waiting)).then(waiting.resolve, waiting.reject)
  }

  /** One call by itself tells whether the node is well and only the batch was wrong. */
  async #sendLess(first: Waiting, others: readonly Waiting[], why: UpstreamError): Promise<void> {
    try {
      first.resolve(await this.#options.one(first.call, leftMs(first)))
    } catch (error) {
      first.reject(error)
      if (isUnwell(error)) return others.forEach(({ reject }) => void reject(error))
    }
    await this.#sendSmaller(others, why.kind !== 'too_large')
  }

  async #sendSmaller(waiting: readonly Waiting[], isRefusal: boolean): Promise<void> {
    const count = Math.max(1, Math.floor((waiting.length + 1) / 2))
    if (isRefusal && count < this.#countMax) {
      this.#countMax = count
      if (count === 1) this.#options.onRefused?.()
    }
    const pieces = Array.from({ length: Math.ceil(waiting.length / count) }, (_, index) => index * count)
    await Promise.all(pieces.map((at) => this.#send(waiting.slice(at, at + count))))
  }

  #settle(waiting: readonly Waiting[], answers: readonly RpcAnswer[]): void {
    const byId = new Map(answers.map((answer) => [answer.id, answer]))
    const { host } = this.#options
    for (const { call, resolve, reject } of waiting) {
      const answer = byId.get(call.id)
      try {
        if (!answer) throw new UpstreamError('bad_answer', `${host} left a call of a batch without an answer.`)
        resolve(resultOf(answer, host, call.id))
      } catch (error) {
        reject(error)
      }
    }
  }
}

function leftMs({ endsAt }: Waiting): number {
  return Math.max(1, Math.floor(endsAt - performance.now()))
}

/** An object in place of the list is the node's word on the batch: that it is limited, or that it takes none. */
function requireAnswers(answers: RpcAnswer[] | RpcAnswer, host: string): RpcAnswer[] {
  if (Array.isArray(answers)) return answers
  resultOf(answers, host)
  throw new UpstreamError('bad_answer', `${host} answered a batch as if it were one call.`)
}

function isUnwell(error: unknown): boolean {
  return !(error instanceof UpstreamError) || isEndpointsFault(error)
}

/** Refused as such, answered with nonsense, or too much for one answer; a node that is down or limits us is not. */
function mayBeTheBatch(error: unknown): error is UpstreamError {
  if (error instanceof RpcError) return !isEndpointsFault(error)
  return error instanceof UpstreamError && (error.kind === 'bad_answer' || error.kind === 'too_large')
}
