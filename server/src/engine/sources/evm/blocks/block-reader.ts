import type { ConnectOptions } from '../../connection.ts'
import type { OneEndpoint } from '../../rpc-pool/index.ts'
import type { Rpc } from '../rpc.ts'
import { Blooms } from './bloom.ts'
import { CheckedLogs } from './checked-logs.ts'
import { Doubts } from './doubts.ts'
import { EndpointMemory } from './log-requests.ts'
import { PartPatience } from './part-patience.ts'
import { ReceiptsRoots } from './receipts-roots.ts'
import { SlowBlocks } from './slow-blocks.ts'
import { Unlisted } from './unlisted.ts'

/** The state for reading blocks: the RPC pool, what the endpoints have shown so far, and how much is checked. */
export type BlockReader = {
  rpc: Rpc
  /** `receipts`: check the receipts root of every block. `bloom`: check the roots of a sample. */
  verify: 'bloom' | 'receipts'
  roots: ReceiptsRoots
  blooms: Blooms
  checkedLogs: CheckedLogs
  /** Blocks whose logs, or whose receipts for transactions, fail a check. */
  doubts: { logs: Doubts; receipts: Doubts }
  /** Blocks without listed transactions. */
  unlisted: Unlisted
  slowBlocks: SlowBlocks
  /** Of the logs of a block whose answer is too large, so many bytes are kept, by estimate. */
  keptBytesMax: number
  /** The parts without which the logs of a block are read all the same. */
  transactions: PartPatience
  traces: PartPatience
  /** The index of every endpoint. */
  endpointIndexes: readonly number[]
  memoryOf(at: Pick<OneEndpoint, 'index'>): EndpointMemory
}

type ReaderOptions = Partial<Pick<ConnectOptions, 'verify' | 'timeoutMs' | 'responseBytesMax'>>

/** Times the limit of an answer. */
const keptTimes = 4

export function makeBlockReader(
  rpc: Rpc,
  endpoints: readonly string[],
  { verify = 'bloom', timeoutMs = 10_000, responseBytesMax = 32 << 20 }: ReaderOptions,
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
    doubts: { logs: new Doubts(now, 'logs'), receipts: new Doubts(now, 'receipts') },
    unlisted: new Unlisted(),
    slowBlocks: new SlowBlocks(timeoutMs),
    keptBytesMax: keptTimes * responseBytesMax,
    transactions: new PartPatience(now),
    traces: new PartPatience(now),
    endpointIndexes: [...endpoints.keys()],
    memoryOf,
  }
}
