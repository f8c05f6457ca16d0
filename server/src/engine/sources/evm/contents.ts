import type { ChainBlock } from '../block.ts'

/** A log as triggers read it: hex in lower case, without the fields of the block. */
export type EvmLog = {
  address: string
  topics: readonly string[]
  data: string
  transactionHash: string
  transactionIndex: number
  index: number
}

/** A transaction as triggers read it. Amounts of wei are always decimal strings. */
export type EvmTransaction = {
  index: number
  hash: string
  type: number
  from: string
  /** Null when it creates a contract, or when its type has no recipient. */
  to: string | null
  /** Null if the node does not return it: a deposit of the OP stack may have none. */
  nonce: number | string | null
  gasLimit: number | string | null
  gasPrice: string | null
  maxFeePerGas?: string
  maxPriorityFeePerGas?: string
  /** `0x` and `0` for types of transactions without them. */
  input: string
  value: string
  /** 1 or 0; null in the oldest blocks, whose receipts have no status. */
  status: number | null
  /** Null when the node has no receipt for it. */
  receipt: EvmReceipt | null
}

/** The fields of a receipt that triggers see. A field that the node does not return is null. */
export type EvmReceipt = {
  gasUsed: number | string | null
  effectiveGasPrice: string | null
  /** The contract that the transaction created. */
  contractAddress: string | null
  logsCount: number
}

/** A call of a contract's function, or the creation of a contract. Hex is in lower case. */
export type EvmCall = {
  transactionHash: string
  transactionIndex: number
  /** The position among the calls of its transaction, in the order of execution; 0 is the transaction's own call. */
  index: number
  /** 0 for the transaction's own call. */
  depth: number
  type: 'call' | 'delegatecall' | 'staticcall' | 'create'
  from: string
  /** The called contract, or the created one; null if the creation failed. */
  to: string | null
  /** In wei. */
  value: string
  input: string
  /** False if this call or a call around it was reverted. */
  success: boolean
  gasUsed: number | string | null
  /** Only traces contain it; null without them. */
  output: string | null
}

/** The fields of a header that triggers on blocks see. A field that the node does not return is null. */
export type EvmHeader = {
  transactionsCount: number
  gasLimit: number | string | null
  gasUsed: number | string | null
  /** In wei. */
  baseFeePerGas: string | null
  blobGasUsed: number | string | null
  excessBlobGas: number | string | null
  miner: string | null
}

/** The type of `ChainBlock.contents` on EVM chains. A part that was not requested is absent, never empty. */
export class EvmContents {
  /** Unix seconds, as stored on the chain. */
  readonly timestamp: number
  readonly logs: readonly EvmLog[] | undefined
  readonly transactions: readonly EvmTransaction[] | undefined

  readonly header: EvmHeader | undefined
  /** The calls of every depth, from the traces of the block. */
  readonly calls: readonly EvmCall[] | undefined

  constructor(timestamp: number, parts: EvmParts) {
    this.timestamp = timestamp
    this.header = parts.header
    this.logs = parts.logs
    this.transactions = parts.transactions
    this.calls = parts.calls
  }

  /** An estimate of the memory that the contents need. */
  get bytes(): number {
    let bytes = 0
    for (const log of this.logs ?? []) bytes += bytesOf(log)
    for (const { input } of this.transactions ?? []) bytes += transactionBytes + input.length
    for (const { input, output } of this.calls ?? []) bytes += callBytes + input.length + (output?.length ?? 0)
    return bytes
  }
}

export type EvmParts = {
  header?: EvmHeader | undefined
  logs?: readonly EvmLog[] | undefined
  transactions?: readonly EvmTransaction[] | undefined
  calls?: readonly EvmCall[] | undefined
}

/** What a log without topics and data, a topic, a transaction without input, and a call without input and output take in memory. */
const [logBytes, topicBytes, transactionBytes, callBytes] = [320, 96, 840, 480]

/** An estimate of the memory that a log needs. */
export function bytesOf({ data, topics }: EvmLog): number {
  return logBytes + data.length + topicBytes * topics.length
}

export function requireHeader(block: ChainBlock): { timestamp: number; header: EvmHeader } {
  const { timestamp, header } = requireContents(block)
  if (!header) throw new Error('the block was read without its header')
  return { timestamp, header }
}

function requireContents(block: ChainBlock): EvmContents {
  if (!(block.contents instanceof EvmContents)) throw new Error('the block is not of an EVM chain')
  return block.contents
}
