import type { ConnectOptions } from '../../world.ts'
import { isUnknownMethod as isUnknown, openRpcPool, RpcError, type RpcPool, saidBy } from '../rpc-pool/index.ts'
import { requireAmount, requireNumber } from './quantities.ts'

/** The way to a network's nodes, as this folder uses it. */
export type Rpc = Pick<RpcPool, 'ask' | 'report'>

export function openRpc(endpoints: readonly string[], options: ConnectOptions): RpcPool {
  return openRpcPool(endpoints, {
    ...options,
    network: { method: 'eth_chainId', params: [], read: readChainId, expected: options.expectedNetwork },
    head: { method: 'eth_blockNumber', params: [], read: (answer) => requireNumber(answer, 'block number') },
  })
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
  return error instanceof RpcError && forgotten.some((words) => words.test(saidBy(error)))
}
