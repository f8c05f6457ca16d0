import type { ConnectOptions } from '../../world.ts'
import { openRpcPool, type RpcError, type RpcPool } from '../rpc-pool/index.ts'
import { commitment, readGenesisHash, requireNumber } from './calls.ts'

/**
 * What a single node says of itself: a slot that it skipped, has not reached or threw away, a method or history that it
 * does not serve.
 */
const oneNodesCodes = new Set([-32001, -32004, -32007, -32009, -32010, -32011, -32014, -32601])

export function openRpc(endpoints: readonly string[], options: ConnectOptions): RpcPool {
  return openRpcPool(endpoints, {
    ...options,
    mayAnotherKnow: ({ code }: RpcError) => oneNodesCodes.has(code),
    network: { method: 'getGenesisHash', params: [], read: readGenesisHash, expected: options.expectedNetwork },
    head: { method: 'getSlot', params: [{ commitment }], read: (answer) => requireNumber(answer, 'getSlot') },
  })
}
