import { idOf, type RpcAnswer, RpcError, requireResult } from '../../outbound/json-rpc.ts'
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
 * Sends the calls of one event-loop turn as a batch. When a node refuses a batch, it sends smaller ones and in the end
 * single calls. Each caller gets its own answer in every case.
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

  /** Never rejects: errors go to the waiting callers. */
  async #send(waiting: readonly Waiting[]): Promise<void> {
    const [first, ...others] = waiting
    if (!first) return
    if (others.length === 0) return this.#sendOne(first)
    try {
      const calls = waiting.map(({ call }) => call)
      const timeoutMs = Math.max(...waiting.map(leftMs))
      await this.#settle(waiting, requireAnswers(await this.#options.many(calls, timeoutMs), this.#options.host))
    } catch (error) {
      if (mayBeCausedByBatch(error)) await this.#sendLess(first, others, error)
      else for (const waitingCall of waiting) waitingCall.reject(error)
    }
  }

  async #sendOne(waiting: Waiting): Promise<void> {
    await this.#options.one(waiting.call, leftMs(waiting)).then(waiting.resolve, waiting.reject)
  }

  /** A single call shows whether the node works and only the batch was refused. */
  async #sendLess(first: Waiting, others: readonly Waiting[], why: UpstreamError): Promise<void> {
    try {
      first.resolve(await this.#options.one(first.call, leftMs(first)))
    } catch (error) {
      first.reject(error)
      if (isNodeFailing(error)) return others.forEach(({ reject }) => void reject(error))
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

  /** A node that answers without our ids does not support batches. A call that it left out is sent alone. */
  async #settle(waiting: readonly Waiting[], answers: readonly RpcAnswer[]): Promise<void> {
    const { host } = this.#options
    const byId = new Map(answers.map((answer) => [idOf(answer), answer]))
    const nameless = answers.find((answer) => idOf(answer) === undefined)
    const missing = waiting.filter(({ call }) => !byId.has(call.id))
    if (missing.length === waiting.length) {
      // Without ids an error is about the whole batch.
      if (nameless) requireResult(nameless, host)
      throw new UpstreamError('bad_answer', `${host} answered a batch without the ids of its calls.`)
    }
    for (const { call, resolve, reject } of waiting) {
      const answer = byId.get(call.id)
      if (answer) settleOne(() => requireResult(answer, host, call.id), { resolve, reject })
    }
    if (nameless?.error && missing.length > 0)
      for (const each of missing) settleOne(() => requireResult(nameless, host), each)
    else await Promise.all(missing.map((each) => this.#sendOne(each)))
  }
}

function settleOne(read: () => unknown, { resolve, reject }: Pick<Waiting, 'resolve' | 'reject'>): void {
  try {
    resolve(read())
  } catch (error) {
    reject(error)
  }
}

function leftMs({ endsAt }: Waiting): number {
  return Math.max(1, Math.floor(endsAt - performance.now()))
}

/** A single object instead of a list is the node's error about the batch: a rate limit, or that it accepts no batches. */
function requireAnswers(answers: RpcAnswer[] | RpcAnswer, host: string): RpcAnswer[] {
  if (Array.isArray(answers)) return answers
  requireResult(answers, host)
  throw new UpstreamError('bad_answer', `${host} answered a batch as if it were one call.`)
}

function isNodeFailing(error: unknown): boolean {
  return !(error instanceof UpstreamError) || isEndpointsFault(error)
}

/** True if the batch itself may be the cause: it was refused, answered wrongly or too large. Not true for a node that is down. */
function mayBeCausedByBatch(error: unknown): error is UpstreamError {
  if (error instanceof RpcError) return !isEndpointsFault(error)
  return error instanceof UpstreamError && (error.kind === 'bad_answer' || error.kind === 'too_large')
}
