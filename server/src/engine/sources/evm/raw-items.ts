import type { SourceItem } from '../../base/source-item.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { ChainBlock } from '../block.ts'
import type { ChainItems, RawEntry, SpecItems } from '../raw-items.ts'
import { blockItem } from './block-matcher.ts'
import { distinctNumbers } from './blocks/log-numbering.ts'
import { EvmContents, type EvmLog } from './contents.ts'
import { evmIndexing } from './indexing.ts'
import { logMatcher } from './log-matcher.ts'
import type { EvmBlockKeys, RawBlock, RawLog, RawTransaction } from './match-keys.ts'
import type { EvmLogSpec } from './spec-events.ts'
import { transactionMatcher } from './transaction-matcher.ts'

/** The logs and transactions of EVM blocks before decoding, and the blocks themselves. */
export const evmItems: ChainItems = {
  async prepare(spec) {
    if (spec.type === 'evm_log') return logItems(spec)
    if (spec.type === 'evm_transaction') return transactionItems
    if (spec.type === 'evm_block') return blockItems(spec.every)
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
    if (contents.header) yield new BlockEntry(block)
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

class BlockEntry implements RawBlock {
  readonly type = 'evm_block'
  readonly number: number
  readonly key: string
  readonly #block: ChainBlock
  #item: SourceItem | undefined

  constructor(block: ChainBlock) {
    this.number = block.number
    this.key = block.hash
    this.#block = block
  }

  get item(): SourceItem {
    this.#item ??= blockItem(this.#block)
    return this.#item
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

/** All specs on blocks make the same item, so they share this decoder. */
const blockDecoder = {}

function blockItems(every = 1): SpecItems {
  const keys: EvmBlockKeys = { type: 'evm_block', every }
  return {
    keys: [keys],
    decoder: blockDecoder,
    indexing: evmIndexing,
    neededParts: [],
    itemOf: (_, raw: RawEntry) => (raw instanceof BlockEntry ? raw.item : undefined),
  }
}
