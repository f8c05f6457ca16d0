import type { ConnectOptions } from '../../connection.ts'
import type { OneEndpoint } from '../../rpc-pool/index.ts'
import type { Rpc } from '../rpc.ts'
import { Blooms } from './bloom.ts'
import { CheckedLogs } from './checked-logs.ts'
import { EndpointMemory } from './log-requests.ts'
import { ReceiptsRoots } from './receipts-roots.ts'

/** The state for reading blocks: the RPC pool, what the endpoints have shown so far, and how much is checked. */
export type BlockReader = {
  rpc: Rpc
  /** `receipts`: check the receipts root of every block. `bloom`: check the roots of a sample. */
  verify: 'bloom' | 'receipts'
  roots: ReceiptsRoots
  blooms: Blooms
  checkedLogs: CheckedLogs
  /** The index of every endpoint. */
  endpointIndexes: readonly number[]
  memoryOf(at: Pick<OneEndpoint, 'index'>): EndpointMemory
}

export function makeBlockReader(
  rpc: Rpc,
  endpoints: readonly string[],
  { verify = 'bloom' }: Pick<ConnectOptions, 'verify'>,
  now: () => number = () => performance.now(),
): BlockReader {
  const memories = new Map<number, EndpointMemory>()
  const memoryOf: BlockReader['memoryOf'] = ({ index }) => {
    const memory = memories.get(index) ?? new EndpointMemory(now)
    memories.set(index, memory)
    return memory
  }
  return {
    rpc,
    verify,
    roots: new ReceiptsRoots(),
    blooms: new Blooms(),
    checkedLogs: new CheckedLogs(now),
    endpointIndexes: [...endpoints.keys()],
    memoryOf,
  }
}
