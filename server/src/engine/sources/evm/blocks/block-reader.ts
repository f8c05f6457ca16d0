import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { ConnectOptions } from '../../connection.ts'
import type { OneEndpoint } from '../../rpc-pool/index.ts'
import type { Rpc } from '../rpc.ts'
import { Blooms } from './bloom.ts'
import { CheckedLogs } from './checked-logs.ts'
import { Doubts } from './doubts.ts'
import { EndpointMemory } from './log-requests.ts'
import { PartPatience } from './part-patience.ts'
import { checkReceiptsRoot } from './receipts-root.ts'

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

/** So many blocks without transactions are asked for logs before a chain counts as one that has none in them. */
const askedMin = 16
/** Chains that add logs of their own do so every so many blocks: Polygon, for example, at the start of each sprint of 16. */
const sampleEvery = 16

/**
 * Whether the blocks of one network have logs although they list no transaction: some chains have logs of their own, which
 * belong to no listed transaction.
 */
class Unlisted {
  #asked = 0
  #haveLogs = false

  get haveLogs(): boolean {
    return this.#haveLogs
  }

  /** True if a block without transactions, whose bloom is empty, must be asked for logs. */
  mustAsk(number: number): boolean {
    return this.mustProve || number % sampleEvery === 0
  }

  /** True if an empty list of logs of such a block needs a proof. */
  get mustProve(): boolean {
    return this.#haveLogs || this.#asked < askedMin
  }

  learn(logsCount: number): void {
    this.#asked += 1
    if (logsCount > 0) this.#haveLogs = true
  }
}

const [firstTimes, mostTimes, mostMs] = [3, 6, 60_000]
const blocksKept = 16

/** Blocks for which nodes needed longer than the time limit of a call. From the second time on they get a longer one. */
class SlowBlocks {
  readonly #timeoutMs: number
  readonly #late = new Map<string, number>()

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** Runs a read of a block. `timeoutMs` is its time limit, if that is longer than usual. */
  async run<T>(hash: string, read: (timeoutMs: number | undefined) => Promise<T>): Promise<T> {
    try {
      const value = await read(this.#limitOf(hash))
      this.#late.delete(hash)
      return value
    } catch (error) {
      if (error instanceof UpstreamError && error.kind === 'timeout') this.#note(hash)
      throw error
    }
  }

  #limitOf(hash: string): number | undefined {
    const times = this.#late.get(hash) ?? 0
    if (times < 2) return undefined
    return Math.max(this.#timeoutMs, Math.min(mostMs, this.#timeoutMs * (times < 4 ? firstTimes : mostTimes)))
  }

  #note(hash: string): void {
    const times = this.#late.get(hash) ?? 0
    for (const [oldest] of this.#late) if (this.#late.size >= blocksKept) this.#late.delete(oldest)
    this.#late.set(hash, times + 1)
  }
}

type Rooted = { number: number; receiptsRoot: string | undefined }

type Proof = {
  /** The source requires a proof for every block. */
  mustProve: boolean
  /** Everything else about the receipts is right, so the chain's own root rules may be the reason. */
  isCounted: boolean
}

/** After this many mismatches in a row, the chain is assumed to compute roots by its own rules. */
const misfitsMax = 3

/**
 * What the receipts roots of one network have shown so far. If no root ever matched while the bloom did, the chain uses its
 * own rules, as some layer-2 chains do. If roots have matched before, a mismatch proves that the receipts are wrong.
 */
class ReceiptsRoots {
  #hasFitted = false
  #misfits = 0

  get areOfOtherRules(): boolean {
    return !this.#hasFitted && this.#misfits >= misfitsMax
  }

  /** `silent`: the root shows nothing about the receipts. `refused`: it disproves them, or they must be proven and are not. */
  compare(header: Rooted, receipts: readonly unknown[], { mustProve, isCounted }: Proof): RootComparison {
    const check = checkReceiptsRoot(header.receiptsRoot, receipts)
    if (check.kind === 'same') {
      this.#hasFitted = true
      return { kind: 'proven' }
    }
    if (check.kind === 'other') {
      if (isCounted) this.#misfits += 1
      if (mustProve || !this.areOfOtherRules) return { kind: 'refused', message: misfit(header, receipts) }
    }
    if (check.kind === 'unknown' && mustProve) return { kind: 'refused', message: unprovable(header, check.reason) }
    return { kind: 'silent' }
  }
}

type RootComparison = { kind: 'proven' | 'silent' } | { kind: 'refused'; message: string }

function misfit({ number }: Rooted, receipts: readonly unknown[]): string {
  return `The node's ${receipts.length} receipts of block ${number} do not make up the receipts root of the block.`
}

function unprovable({ number }: Rooted, reason: string): string {
  return `The receipts of block ${number} cannot be checked: ${reason}. This source asks for that check; set verify to "bloom" to follow it without.`
}
