import { isObject } from '../../base/is-object.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { ConnectOptions } from '../connection.ts'
import {
  isEndpointsFault,
  isUnknownMethod as isUnknown,
  messageWithoutHost,
  type OneEndpoint,
  openRpcPool,
  RpcError,
  type RpcPool,
} from '../rpc-pool/index.ts'
import { requireAmount, requireNumber, UnreadableAnswer } from './blocks/quantities.ts'

/** The way to a network's nodes, as this folder uses it. */
export type Rpc = Pick<RpcPool, 'ask' | 'atOne'>

export function openRpc(endpoints: readonly string[], options: ConnectOptions): RpcPool {
  return openRpcPool(endpoints, {
    ...options,
    network: { method: 'eth_chainId', params: [], read: readChainId, expected: options.expectedNetwork },
    alsoAnswers: headByNumber,
    head: { method: 'eth_blockNumber', params: [], read: (answer) => requireNumber(answer, 'block number') },
  })
}

/** The latest block, asked for by its number. */
function headByNumber(method: string, params: unknown, answer: unknown): [string, unknown] | undefined {
  const isHead = method === 'eth_getBlockByNumber' && Array.isArray(params) && params[0] === 'latest'
  if (!isHead || !isObject(answer) || typeof answer.number !== 'string') return undefined
  return [method, [answer.number, params[1]]]
}

/** As `rpc.atOne`. Throws an UnreadableAnswer when every endpoint that was asked gave one, and only then. */
export async function readAtOne<T>(rpc: Rpc, method: string, work: (at: OneEndpoint) => Promise<T>): Promise<T> {
  let hasOtherFailure = false
  const watched = async (at: OneEndpoint) => {
    try {
      return await work(at)
    } catch (error) {
      if (!(error instanceof UnreadableAnswer)) hasOtherFailure = true
      throw error
    }
  }
  try {
    return await rpc.atOne(watched, { method })
  } catch (error) {
    if (error instanceof UpstreamError && error.kind === 'bad_answer' && !hasOtherFailure)
      throw new UnreadableAnswer(error.message)
    throw error
  }
}

export function readChainId(answer: unknown): string {
  return requireAmount(answer, 'chain id')
}

/** EVM nodes have a code of their own for methods that they do not support. */
export function isUnknownMethod(error: unknown): error is RpcError {
  return isUnknown(error) || (error instanceof RpcError && error.code === -32004)
}

const forgotten = [
  /missing trie node|header not found|block not found|unknown block|pruned|archive/i,
  /histor\w* state|state.{0,20}(?:not available|unavailable|not found)|no state available|world state/i,
  /distance to target block|block is too old/i,
]

/** A node that keeps recent state only, or has not come as far as the block, in the words of the common clients. */
export function isForgotten(error: unknown): boolean {
  return error instanceof RpcError && forgotten.some((words) => words.test(messageWithoutHost(error)))
}

/** The node is well and does not serve the call in this form: another call of the same node may give the same data. */
export function isRefusal(error: unknown): error is RpcError {
  return error instanceof RpcError && !isEndpointsFault(error) && !isForgotten(error)
}

const sizeWords = /too (?:large|many|big)|more than|exceed|range|results|response size|limited to|limit/i
const refusalCodes = new Set([-32600, -32601, -32602, -32004])
const refusalWords =
  /specify|not supported|unsupported|not allowed|not available|unavailable|disabled|blocked|forbidden|denied|restricted|plan|upgrade|invalid|does not exist/i

/** How long a refusal is believed: one about the size of an answer holds for this block alone. */
export function refusedForMs(error: RpcError): number {
  const words = messageWithoutHost(error)
  if (refusalCodes.has(error.code) || isUnknownMethod(error)) return hourMs
  if (sizeWords.test(words)) return 0
  return refusalWords.test(words) ? hourMs : minuteMs
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
