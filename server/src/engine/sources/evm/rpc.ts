import { isObject } from '../../base/json.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { type AnswerSizes, largeBytes } from '../answer-sizes.ts'
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

/** Of code in hex: a contract may have 24 KiB, on some networks 64 KiB. */
const codeBytes = 132 * 1024
/** One transaction with many logs. */
const receiptBytes = 16 * 1024 * 1024

export const answerSizes: AnswerSizes = {
  small: new Set([
    'eth_blockNumber',
    'eth_chainId',
    'eth_gasPrice',
    'eth_getBalance',
    'eth_getStorageAt',
    'eth_getTransactionCount',
    'eth_subscribe',
    'eth_syncing',
    'eth_unsubscribe',
    'net_version',
    'web3_clientVersion',
  ]),
  large: {
    debug_traceBlockByHash: largeBytes,
    debug_traceBlockByNumber: largeBytes,
    eth_getBlockByHash: largeBytes,
    eth_getBlockByNumber: largeBytes,
    eth_getBlockReceipts: largeBytes,
    eth_getCode: codeBytes,
    eth_getLogs: largeBytes,
    eth_getTransactionReceipt: receiptBytes,
    trace_block: largeBytes,
  },
}

/** The calls to a network's nodes that this folder uses. */
export type Rpc = Pick<RpcPool, 'ask' | 'atOne'>

export function openRpc(endpoints: readonly string[], options: ConnectOptions): RpcPool {
  return openRpcPool(endpoints, {
    ...options,
    answerSizes,
    network: { method: 'eth_chainId', params: [], read: readChainId, expected: options.expectedNetwork },
    alsoAnswers: headByNumber,
    head: { method: 'eth_blockNumber', params: [], read: (answer) => requireNumber(answer, 'block number') },
  })
}

/** The latest block by its number. */
function headByNumber(method: string, params: unknown, answer: unknown): [string, unknown] | undefined {
  const isHead = method === 'eth_getBlockByNumber' && Array.isArray(params) && params[0] === 'latest'
  if (!isHead || !isObject(answer) || typeof answer.number !== 'string') return undefined
  return [method, [answer.number, params[1]]]
}

/** Like `rpc.atOne`. Throws an UnreadableAnswer only when every asked endpoint gave one. */
export async function readAtOne<T>(
  rpc: Rpc,
  method: string,
  work: (at: OneEndpoint) => Promise<T>,
  timeoutMs?: number,
): Promise<T> {
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
    return await rpc.atOne(watched, { method, timeoutMs })
  } catch (error) {
    if (error instanceof UpstreamError && error.kind === 'bad_answer' && !hasOtherFailure)
      throw new UnreadableAnswer(error.message)
    throw error
  }
}

export function readChainId(answer: unknown): string {
  return requireAmount(answer, 'chain id')
}

/** EVM nodes have their own error code for unsupported methods. */
export function isUnknownMethod(error: unknown): error is RpcError {
  return isUnknown(error) || (error instanceof RpcError && error.code === -32004)
}

const forgotten = [
  /missing trie node|header not found|block (?:\S+ )?not found|unknown block|pruned|archive/i,
  /histor\w{0,20} state|state.{0,20}(?:not available|unavailable|not found)|no state available|world state/i,
  /distance to target block|block is too old/i,
]

/** Matches the messages of common clients for a node that has only recent state, or that has not reached the block. */
export function isForgotten(error: unknown): boolean {
  return error instanceof RpcError && forgotten.some((words) => words.test(messageWithoutHost(error)))
}

/** The node works but does not support this form of the call. Another call may return the same data. */
export function isRefusal(error: unknown): error is RpcError {
  return error instanceof RpcError && !isEndpointsFault(error) && !isForgotten(error)
}

const sizeWords = /too (?:large|many|big)|more than|exceed|range|results|response size|limited to|limit/i
const refusalCodes = new Set([-32600, -32601, -32602, -32004])
const refusalWords =
  /specify|not supported|unsupported|not allowed|not available|unavailable|disabled|blocked|forbidden|denied|restricted|plan|upgrade|invalid|does not exist/i

/** How long a refusal is remembered. A refusal because of an answer's size holds only for this block. */
export function refusedForMs(error: RpcError): number {
  const words = messageWithoutHost(error)
  if (refusalCodes.has(error.code) || isUnknownMethod(error)) return hourMs
  if (sizeWords.test(words)) return 0
  return refusalWords.test(words) ? hourMs : minuteMs
}

/** The node refuses the call for every block, and not only for this one or for now. */
export function isLastingRefusal(error: unknown): boolean {
  return isRefusal(error) && refusedForMs(error) === hourMs
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
