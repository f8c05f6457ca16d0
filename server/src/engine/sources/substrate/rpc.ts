import { type AnswerSizes, largeBytes } from '../answer-sizes.ts'
import type { ConnectOptions } from '../connection.ts'
import { messageWithoutHost, openRpcPool, RpcError, type RpcPool } from '../rpc-pool/index.ts'
import { readHash, readHeader } from './answers.ts'

/** In hex. The largest metadata of a known runtime takes 4 MiB. */
const metadataBytes = 16 * 1024 * 1024

const answerSizes: AnswerSizes = {
  small: new Set([
    'chain_getBlockHash',
    'chain_getFinalizedHead',
    'chain_getHeader',
    'chain_subscribeNewHeads',
    'chain_unsubscribeNewHeads',
    'state_getRuntimeVersion',
    'system_chain',
    'system_health',
    'system_properties',
    'system_version',
  ]),
  large: {
    chain_getBlock: largeBytes,
    state_call: metadataBytes,
    state_getMetadata: metadataBytes,
    state_getStorage: largeBytes,
    state_queryStorageAt: largeBytes,
  },
}

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
