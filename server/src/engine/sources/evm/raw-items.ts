import type { SourceItem } from '../../base/source-item.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockPart, ChainBlock, Factory, LogFilter } from '../block.ts'
import { BlockEntry, blockItems } from '../block-items.ts'
import type { ChainItems, RawEntry, SpecItems } from '../raw-items.ts'
import { evmBlocks } from './block-kind.ts'
import { distinctNumbers } from './blocks/log-numbering.ts'
import { callDecoder } from './calls/call-decoder.ts'
import { calledBy, callItem, hasSucceeded, methodIdOf, ownCall, ownType, undecoded } from './calls/call-items.ts'
import { callKeys } from './calls/call-keys.ts'
import type { EvmCallSpec } from './calls/spec-functions.ts'
import { type EvmCall, EvmContents, type EvmLog, type EvmTransaction } from './contents.ts'
import { contractsOf } from './contracts.ts'
import { openFactory, topicsOf } from './factory.ts'
import { evmIndexing } from './indexing.ts'
import { logDecoder } from './log-decoder.ts'
import { logKeys } from './log-keys.ts'
import type { EvmCallKeys, EvmLogKeys, RawCall, RawLog, RawTransaction } from './match-keys.ts'
import type { EvmLogSpec } from './spec-events.ts'

/** The logs, transactions and calls of EVM blocks before decoding, and the blocks themselves. */
export const evmItems: ChainItems = {
  async prepare(spec) {
    if (spec.type === 'evm_log') return logItems(spec)
    if (spec.type === 'evm_transaction') return transactionItems
    if (spec.type === 'evm_call') return callItems(spec)
    if (spec.type === 'evm_block') return blockItems(evmBlocks, evmIndexing, spec.every)
    throw new UpstreamError('refused', `An EVM source has no items of ${spec.type}.`)
  },
  list(block, _, isWanted = () => true) {
    const { contents } = block
    if (!(contents instanceof EvmContents)) throw new Error('the block is not of an EVM chain')
    const entries: RawEntry[] = []
    if (isWanted('evm_log')) addLogs(entries, block, contents)
    if (isWanted('evm_transaction'))
      for (const transaction of contents.transactions ?? []) entries.push(new TransactionEntry(block, transaction))
    if (isWanted('evm_call')) addCalls(entries, block, contents)
    if (contents.header && isWanted('evm_block')) entries.push(new BlockEntry(evmBlocks, block))
    return entries
  },
}

function addLogs(to: RawEntry[], block: ChainBlock, { logs = [] }: EvmContents): void {
  const numbers = distinctNumbers(logs)
  for (let at = 0; at < logs.length; at++) {
    const log = logs[at]
    if (log) to.push(new LogEntry(block, log, numbers[at] ?? at))
  }
}

function addCalls(to: RawEntry[], block: ChainBlock, { calls, transactions = [] }: EvmContents): void {
  if (calls) for (const call of calls) to.push(new CallEntry(block, call, call.to, methodIdOf(call), call.success))
  else for (const transaction of transactions) to.push(ownCallEntry(block, transaction))
}

function ownCallEntry(block: ChainBlock, transaction: EvmTransaction): CallEntry {
  const { input } = transaction
  const selector = methodIdOf({ type: ownType(transaction), input })
  return new CallEntry(block, transaction, calledBy(transaction), selector, hasSucceeded(transaction))
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
  readonly #block: ChainBlock
  readonly #transaction: EvmTransaction
  #item: SourceItem | undefined

  constructor(block: ChainBlock, transaction: EvmTransaction) {
    this.#block = block
    this.#transaction = transaction
  }

  get item(): SourceItem {
    this.#item ??= transactionItem(this.#block, timestampOf(this.#block), this.#transaction)
    return this.#item
  }

  get key(): string {
    return `${this.#block.hash}:${this.#transaction.hash}`
  }
}

function transactionItem(block: ChainBlock, timestamp: number, transaction: EvmTransaction): SourceItem {
  const { number, hash } = block
  return {
    block: { number, hash, timestamp },
    ...transaction,
    methodId: methodIdOf({ type: ownType(transaction), input: transaction.input }),
  }
}

class CallEntry implements RawCall {
  readonly type = 'evm_call'
  readonly address: string | null
  readonly selector: string | null
  readonly input: string
  readonly success: boolean
  readonly depth: number
  readonly isTraced: boolean
  readonly #block: ChainBlock
  /** A transaction stands for its own call, which is made only if an entry asks for it. */
  #source: EvmCall | EvmTransaction
  #plain: SourceItem | undefined

  constructor(
    block: ChainBlock,
    source: EvmCall | EvmTransaction,
    address: string | null,
    selector: string | null,
    success: boolean,
  ) {
    this.address = address
    this.selector = selector
    this.input = source.input
    this.success = success
    this.depth = 'depth' in source ? source.depth : 0
    this.isTraced = 'depth' in source
    this.#source = source
    this.#block = block
  }

  get call(): EvmCall {
    if (!('depth' in this.#source)) this.#source = ownCall(this.#source)
    return this.#source
  }

  get plain(): SourceItem {
    this.#plain ??= callItem(this.#block, timestampOf(this.#block), this.call, undecoded, null)
    return this.#plain
  }

  get key(): string {
    return `${this.#block.hash}:${this.call.transactionHash}:${this.call.index}`
  }
}

async function logItems(spec: EvmLogSpec): Promise<SpecItems> {
  const decoder = await logDecoder(spec)
  const addresses = contractsOf(spec)
  const factory = await openFactory(spec)
  const keys = logKeys(spec, decoder.forms)
  const logs = factory ? undefined : filterOf(keys, addresses)
  return {
    keys,
    decoder,
    indexing: evmIndexing,
    neededParts: ['logs'],
    ...(addresses && { addresses }),
    ...(logs && { logs }),
    ...(factory && { factory }),
    itemOf: (block, raw) => (raw instanceof LogEntry ? decoder.itemOf(block, timestampOf(block), raw.log) : undefined),
  }
}

/** Undefined if it would be all logs of the chain. */
function filterOf(keys: readonly EvmLogKeys[], addresses: readonly string[] | undefined): LogFilter | undefined {
  const topics = topicsOf(keys)
  return addresses || topics ? { ...(addresses && { addresses }), ...(topics && { topics }) } : undefined
}

async function callItems(spec: EvmCallSpec): Promise<SpecItems> {
  const decoder = await callDecoder(spec)
  const neededParts: BlockPart[] = ['transactions', ...tracesFor(spec.internal)]
  const factory = await openFactory(spec)
  return {
    keys: callKeys(spec, decoder),
    decoder,
    indexing: evmIndexing,
    neededParts,
    ...(factory && ofFactory(factory, neededParts)),
    itemOf: (block, raw) =>
      raw instanceof CallEntry ? decoder.itemOf(block, timestampOf(block), raw.call) : undefined,
  }
}

function tracesFor(internal: EvmCallKeys['internal'] | undefined): BlockPart[] {
  if (internal === 'auto') return ['any_traces']
  return internal ? ['traces'] : []
}

/** The members are in the logs of the factory. */
function ofFactory(factory: Factory, parts: readonly BlockPart[]) {
  return { factory, neededParts: [...parts, 'logs' as const], addresses: [factory.contract] }
}

function timestampOf({ contents }: ChainBlock): number {
  return contents instanceof EvmContents ? contents.timestamp : 0
}

/** Every transaction is an item. Triggers select transactions by conditions. */
const transactionItems: SpecItems = {
  keys: [{ type: 'evm_transaction' }],
  indexing: evmIndexing,
  neededParts: ['transactions'],
  itemOf: (_, raw: RawEntry) => (raw instanceof TransactionEntry ? raw.item : undefined),
}
