import type { Door } from '../../outbound/door.ts'
import { RpcError } from '../../outbound/json-rpc.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'

export type EndpointOptions = {
  door: Door
  responseBytesMax: number
  /** How many calls one HTTP request may carry. */
  batchMaxCount: number
  /** The node refused a batch; from here on calls go one by one. */
  onBatchRefused?: () => void
}

/** One address that speaks JSON-RPC. What it throws is an UpstreamError, and an RpcError when the method itself failed. */
export type Endpoint = {
  url: string
  request(method: string, params: unknown, timeoutMs: number): Promise<unknown>
  /** Web sockets alone: what the node sends of itself. */
  subscribe?(call: Subscribe, listener: SubscriptionListener, timeoutMs: number): Promise<Subscription>
  close(): Promise<void>
}
export type Subscribe = { method: string; params: readonly unknown[]; unsubscribe: string }
export type SubscriptionListener = { onNotice(result: unknown): void; onEnd(error: UpstreamError): void }
/** `cancel` tells the node; nothing is heard afterwards. */
export type Subscription = { cancel(): void }

/** The endpoint asks to be left alone for a while. */
export class SlowDown extends UpstreamError {
  readonly retryAfterMs: number | undefined
  constructor(host: string, retryAfterMs: number | undefined) {
    super('failed', `${host} asks to slow down (HTTP 429).`)
    this.retryAfterMs = retryAfterMs
  }
}

/** Limits and lagging nodes: -32005 (limit, or a Solana node behind), -32016 (rate; context slot), and providers' own. */
const overloadCodes = new Set([-32005, -32016, -32029, -32090, -32097, 429, -429])
const overloadWords = /rate.?limit|too many requests|request limit|compute units|quota|over capacity|overloaded/i
/** The same codes also say that one answer would be too large, which asking elsewhere does not cure. */
const sizeWords = /range|results|response size|logs matched|limited to/i

/** A node that says how far it is behind uses a code of limits too. */
const behindWords = /behind|context slot/i

/** Whether an error tells about the endpoint, so that another one may do better, and not about the request. */
export function isEndpointsFault(error: UpstreamError): boolean {
  if (!(error instanceof RpcError)) return true
  if (overloadWords.test(saidBy(error))) return true
  return overloadCodes.has(error.code) && !sizeWords.test(saidBy(error))
}

const callWords = /revert|out of gas|invalid opcode|invalid jump|stack (?:under|over)flow|insufficient funds/i

/**
 * Whether an error is clearly about what a caller asked for, so that every endpoint would say the same. Only for calls
 * whose method or parameters a caller wrote: what the service asks on its own behalf, every node should answer.
 */
export function isCallersOwn(error: RpcError): boolean {
  return error.code === -32602 || error.code === 3 || callWords.test(saidBy(error))
}

/** Slots that a Solana node skipped, threw away, or has not reached. */
const missingCodes = new Set([-32001, -32004, -32007, -32009, -32011, -32014])
const missingWords =
  /unknown ?block|missing trie node|pruned|\b(?:block|header|slot|state)\b.{0,40}\b(?:not|missing|skipped|unavailable|discarded)\b/i

/** The node does not have a block or its state, yet or any longer, as happens to every node. */
export function isMissingBlock(error: RpcError): boolean {
  return missingCodes.has(error.code) || (!isUnknownMethod(error) && missingWords.test(saidBy(error)))
}

/** Whether the endpoint complains that it is asked too often. */
export function isOverload(error: UpstreamError): boolean {
  if (error instanceof SlowDown) return true
  return error instanceof RpcError && isEndpointsFault(error) && !behindWords.test(saidBy(error))
}

/** Nodes differ in the code, and some in the words too. */
export function isUnknownMethod(error: unknown): error is RpcError {
  const words =
    /\bmethod\b.*(?:not (?:found|supported|available|exist|allowed)|unsupported|unavailable)|unsafe to be called/i
  return error instanceof RpcError && (error.code === -32601 || words.test(saidBy(error)))
}

export type NodeKind = 'EVM' | 'Substrate' | 'Solana'

/** A node that lacks what every node of its kind has is something else, however well it is. */
export function explainForeign<E>(error: E, kind: NodeKind): E | UpstreamError {
  return isUnknownMethod(error) ? new UpstreamError('bad_answer', `It is no ${kind} node: ${error.message}`) : error
}

/** For whoever asks for something that every node of the kind can do. */
export async function explaining<T>(kind: NodeKind, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw explainForeign(error, kind)
  }
}

/** The nodes' own words, without the names of their hosts, which may well be `archive` or `quota`. */
export function saidBy({ message }: RpcError): string {
  return message.replace(/(^|\s)\S+ answered: /g, '$1')
}
