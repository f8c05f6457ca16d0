import type { ConnectOptions } from '../connection.ts'
import { messageWithoutHost, openRpcPool, RpcError, type RpcPool } from '../rpc-pool/index.ts'
import { readHash, readHeader } from './answers.ts'

/** The way to a network's nodes, as this folder uses it. */
export type Rpc = RpcPool & { endpoints: readonly string[] }

export function openRpc(endpoints: readonly string[], options: ConnectOptions): Rpc {
  const pool = openRpcPool(endpoints, {
    ...options,
    network: { method: 'chain_getBlockHash', params: [0], read: readHash, expected: options.expectedNetwork },
    head: { method: 'chain_getHeader', params: [], read: (answer) => readHeader(answer).number },
  })
  return { ...pool, endpoints }
}

/** A block that one node has not seen, or state that it has thrown away. */
export function isForgotten(error: unknown): boolean {
  const words = /state already discarded|unknown ?block|header (?:was )?not found|block not found|pruned|not available/i
  return error instanceof RpcError && words.test(messageWithoutHost(error))
}
