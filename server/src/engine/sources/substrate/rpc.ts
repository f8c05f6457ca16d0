import type { ConnectOptions } from '../connection.ts'
import { messageWithoutHost, openRpcPool, RpcError, type RpcPool } from '../rpc-pool/index.ts'
import { answerSizes } from './answer-sizes.ts'
import { readHash, readHeader } from './answers.ts'

/** The calls to a network's nodes that this folder uses. */
export type Rpc = RpcPool & { endpoints: readonly string[] }

export function openRpc(endpoints: readonly string[], options: ConnectOptions): Rpc {
  const pool = openRpcPool(endpoints, {
    ...options,
    answerSizes,
    network: { method: 'chain_getBlockHash', params: [0], read: readHash, expected: options.expectedNetwork },
    head: { method: 'chain_getHeader', params: [], read: (answer) => readHeader(answer).number },
  })
  return { ...pool, endpoints }
}

/** The node has not seen the block, or has deleted its state. */
export function isForgotten(error: unknown): boolean {
  const words = /state already discarded|unknown ?block|header (?:was )?not found|block not found|pruned|not available/i
  return error instanceof RpcError && words.test(messageWithoutHost(error))
}
