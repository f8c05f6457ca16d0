import type { SourceItem } from '../../base/source-item.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { ChainBlock } from '../block.ts'
import type { ChainItems, RawEntry, SpecItems } from '../raw-items.ts'
import { distinctNumbers } from './blocks/log-numbering.ts'
import { EvmContents, type EvmLog } from './contents.ts'
import { evmIndexing } from './indexing.ts'
import { logMatcher } from './log-matcher.ts'
import type { RawLog, RawTransaction } from './match-keys.ts'
import type { EvmLogSpec } from './spec-events.ts'
import { transactionMatcher } from './transaction-matcher.ts'

/** The logs and transactions of EVM blocks, before decoding. */
export const evmItems: ChainItems = {
  async prepare(spec) {
    if (spec.type === 'evm_log') return logItems(spec)
    if (spec.type === 'evm_transaction') return transactionItems
    throw new UpstreamError('refused', `An EVM source has no items of ${spec.type}.`)
  },
  *list(block) {
    const { contents } = block
    if (!(contents instanceof EvmContents)) throw new Error('the block is not of an EVM chain')
    const logs = contents.logs ?? []
    const numbers = distinctNumbers(logs)
    for (const [at, log] of logs.entries()) yield new LogEntry(block, log, numbers[at] ?? at)
    if (contents.transactions)
      for (const item of transactionMatcher.match(block)) yield new TransactionEntry(block, item)
  },
}

class LogEntry implements RawLog {
  readonly type = 'evm_log'
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly log: EvmLog
  readonly #block: ChainBlock
  readonly #number: number

  constructor(block: ChainBlock, log: EvmLog, number: number) {
    this.address = log.address
    this.topics = log.topics
    this.data = log.data
    this.log = log
    this.#block = block
    this.#number = number
  }

  get key(): string {
    return `${this.#block.hash}:${this.#number}`
  }
}

class TransactionEntry implements RawTransaction {
  readonly type = 'evm_transaction'
  readonly item: SourceItem
  readonly #block: ChainBlock

  constructor(block: ChainBlock, item: SourceItem) {
    this.item = item
    this.#block = block
  }

  get key(): string {
    return `${this.#block.hash}:${String(this.item.hash)}`
  }
}

async function logItems(spec: EvmLogSpec): Promise<SpecItems> {
  const { keys, addresses, decoder, matchLog } = await logMatcher(spec)
  return {
    keys,
    decoder,
    indexing: evmIndexing,
    neededParts: ['logs'],
    ...(addresses && { addresses }),
    itemOf: (block, raw) => (raw instanceof LogEntry ? matchLog(block, timestampOf(block), raw.log) : undefined),
  }
}

function timestampOf({ contents }: ChainBlock): number {
  return contents instanceof EvmContents ? contents.timestamp : 0
}

const transactionItems: SpecItems = {
  keys: [{ type: 'evm_transaction' }],
  indexing: evmIndexing,
  neededParts: ['transactions'],
  itemOf: (_, raw: RawEntry) => (raw instanceof TransactionEntry ? raw.item : undefined),
}
