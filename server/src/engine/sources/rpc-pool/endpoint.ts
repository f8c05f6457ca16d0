import type { Door } from '../../outbound/door.ts'
import { RpcError } from '../../outbound/json-rpc.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { AnswerSizes } from '../answer-sizes.ts'

export type EndpointOptions = {
  door: Door
  responseBytesMax: number
  answerSizes: AnswerSizes
  /** How many calls one HTTP request may contain. */
  batchMaxCount: number
  /** Called when the node refuses a batch; from then on calls are sent one by one. */
  onBatchRefused?: () => void
}

/** One JSON-RPC address. It throws an UpstreamError, or an RpcError when the method itself failed. */
export type Endpoint = {
  url: string
  request(method: string, params: unknown, timeoutMs: number): Promise<unknown>
  /**
   * The same for an answer that may be larger than `responseBytesMax`, which is read as a stream: `take` gets each object in a
   * list of the answer, and what it returns is kept.
   */
  requestLarge(method: string, params: unknown, take: TakeElement, timeoutMs: number): Promise<unknown>
  /** Only for web sockets: subscribes to notifications of the node. */
  subscribe?(call: Subscribe, listener: SubscriptionListener, timeoutMs: number): Promise<Subscription>
  close(): Promise<void>
}
export type TakeElement = (element: Record<string, unknown>) => unknown
export type Subscribe = { method: string; params: readonly unknown[]; unsubscribe: string }
export type SubscriptionListener = { onNotice(result: unknown): void; onEnd(error: UpstreamError): void }
/** `cancel` unsubscribes at the node. The listener is not called afterwards. */
export type Subscription = { cancel(): void }

/** The endpoint sent a rate limit. */
export class SlowDown extends UpstreamError {
  readonly retryAfterMs: number | undefined
  constructor(host: string, retryAfterMs: number | undefined) {
    super('failed', `${host} asks to slow down (HTTP 429).`)
    this.retryAfterMs = retryAfterMs
  }
}

/** The endpoint does not serve us at all, for example without a key. The same call fails again. */
export class NotServed extends UpstreamError {
  constructor(message: string) {
    super('failed', message)
  }
}

/** Codes of limits and lagging nodes: -32005 (limit, or a Solana node behind), -32016 (rate; context slot), and providers' own. */
const overloadCodes = new Set([-32005, -32016, -32029, -32090, -32097, 429, -429])
const overloadWords = /rate.?limit|too many requests|request limit|compute units|quota|over capacity|overloaded/i
/** The same codes also mean that one answer would be too large, which another endpoint does not solve. */
const sizeWords = /range|results|response size|logs matched|limited to/i

/** A node that is behind uses the codes of limits too. */
const behindWords = /behind|context slot/i

/** True if the error is about the endpoint, so that another endpoint may answer, and not about the request. */
export function isEndpointsFault(error: UpstreamError): boolean {
  if (!(error instanceof RpcError)) return true
  if (overloadWords.test(messageWithoutHost(error))) return true
  return overloadCodes.has(error.code) && !sizeWords.test(messageWithoutHost(error))
}

const callWords = /revert|out of gas|invalid opcode|invalid jump|stack (?:under|over)flow|insufficient funds/i

/**
 * True if the error is clearly about the caller's request, so that every endpoint would return the same. Use it only for
 * calls whose method or parameters a caller wrote: every node should answer the service's own calls.
 */
export function isCallersFault(error: RpcError): boolean {
  return error.code === -32602 || error.code === 3 || callWords.test(messageWithoutHost(error))
}

/** Slots that a Solana node skipped, discarded or has not reached. */
const missingCodes = new Set([-32001, -32004, -32007, -32009, -32011, -32014])
const missingWords =
  /unknown ?block|missing trie node|pruned|\b(?:block|header|slot|state)\b.{0,40}\b(?:not|missing|skipped|unavailable|discarded)\b/i

/** The node does not have a block or its state, not yet or no longer. This happens to every node. */
export function isMissingBlock(error: RpcError): boolean {
  return missingCodes.has(error.code) || (!isUnknownMethod(error) && missingWords.test(messageWithoutHost(error)))
}

/** True if the endpoint rejects the call because of a rate limit. */
export function isOverload(error: UpstreamError): boolean {
  if (error instanceof SlowDown) return true
  return error instanceof RpcError && isEndpointsFault(error) && !behindWords.test(messageWithoutHost(error))
}

/** Nodes differ in the code, and some differ in the message too. */
export function isUnknownMethod(error: unknown): error is RpcError {
  const words =
    /\bmethod\b.{0,80}(?:not (?:found|supported|available|exist|allowed)|unsupported|unavailable)|unsafe to be called/i
  return error instanceof RpcError && (error.code === -32601 || words.test(messageWithoutHost(error)))
}

/** A node without a method that every node of its kind has is a node of another kind. `kind` is the title of the chain. */
export function explainWrongKind<E>(error: E, kind: string): E | UpstreamError {
  return isUnknownMethod(error)
    ? new UpstreamError('bad_answer', `This endpoint is no ${kind} node: ${error.message}`)
    : error
}

/** Runs calls that every node of this kind must answer. */
export async function requireNodeKind<T>(kind: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw explainWrongKind(error, kind)
  }
}

/** The node's message without host names, because a host may be called `archive` or `quota`. */
export function messageWithoutHost({ message }: RpcError): string {
  return message.replace(/(^|\s)\S+ answered: /g, '$1')
}
