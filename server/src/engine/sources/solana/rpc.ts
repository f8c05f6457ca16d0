import type { ConnectOptions } from '../connection.ts'
import { openRpcPool, type RpcPool } from '../rpc-pool/index.ts'
import { commitment, readGenesisHash, requireNumber } from './calls.ts'

export function openRpc(endpoints: readonly string[], options: ConnectOptions): RpcPool {
  return openRpcPool(endpoints, {
    ...options,
    network: { method: 'getGenesisHash', params: [], read: readGenesisHash, expected: options.expectedNetwork },
    head: { method: 'getSlot', params: [{ commitment }], read: (answer) => requireNumber(answer, 'getSlot') },
  })
}
