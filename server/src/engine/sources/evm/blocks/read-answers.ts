import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { EvmHeader, EvmLog, EvmReceipt, EvmTransaction } from '../contents.ts'
import { readBloom } from './bloom.ts'
import { requireAmount, requireBytes, requireInteger, requireList, requireNumber, requireRecord } from './quantities.ts'

/** Parses a node's answers once, at the edge. It ignores fields that no matcher reads. */

export type Header = {
  number: number
  hash: string
  parentHash: string
  timestamp: number
  /** Undefined when it contains no information. */
  logsBloom: string | undefined
  /** Not every chain has one. */
  receiptsRoot: string | undefined
  /** Hashes, or whole transactions if they were requested. */
  transactions: unknown[]
  /** The fields for triggers on blocks. */
  fields: EvmHeader
}
/** The receipt contains the rest. */
export type SentTransaction = Omit<EvmTransaction, 'status' | 'receipt'>
export type Receipt = { transactionHash: string; status: number | null; logs: EvmLog[] } & Omit<EvmReceipt, 'logsCount'>

export function readHeader(answer: unknown): Header {
  const block = requireRecord(answer, 'block')
  const transactions = requireList(block.transactions, 'transactions of the block')
  return {
    number: requireNumber(block.number, 'number of the block'),
    hash: requireBytes(block.hash, 'hash of the block', 32),
    parentHash: requireBytes(block.parentHash, 'parentHash of the block', 32),
    timestamp: requireNumber(block.timestamp, 'timestamp of the block'),
    logsBloom: readBloom(block.logsBloom),
    receiptsRoot:
      block.receiptsRoot == null ? undefined : requireBytes(block.receiptsRoot, 'receiptsRoot of the block', 32),
    transactions,
    fields: readFields(block, transactions.length),
  }
}

/** Older blocks lack some fields, and some chains lack others. */
function readFields(block: Record<string, unknown>, transactionsCount: number): EvmHeader {
  return {
    transactionsCount,
    gasLimit: readOrNull(block.gasLimit, requireInteger),
    gasUsed: readOrNull(block.gasUsed, requireInteger),
    baseFeePerGas: readOrNull(block.baseFeePerGas, requireAmount),
    blobGasUsed: readOrNull(block.blobGasUsed, requireInteger),
    excessBlobGas: readOrNull(block.excessBlobGas, requireInteger),
    miner: readOrNull(block.miner, requireAddress),
  }
}

export function readLogs(answer: unknown): EvmLog[] {
  let previous: EvmLog | undefined
  return requireList(answer, 'list of logs').map((log) => {
    previous = readLog(log, previous)
    return previous
  })
}

/** The hashes of a block's transactions, for blocks with whole transactions or with hashes. */
export function readHashes({ transactions }: Header): string[] {
  return transactions.map((each) =>
    requireBytes(typeof each === 'string' ? each : requireRecord(each, 'transaction').hash, 'hash', 32),
  )
}

/** The block that a log names. A node that answers for another block has processed a reorg meanwhile. */
export function readLogBlock(log: unknown): string {
  return requireBytes(requireRecord(log, 'log').blockHash, 'blockHash of a log', 32)
}

function readLog(answer: unknown, previous: EvmLog | undefined): EvmLog {
  const log = requireRecord(answer, 'log')
  return {
    address: sharedBytes(log.address, previous?.address, 'address of a log', 20),
    topics: requireList(log.topics, 'topics of a log').map((topic, at) =>
      sharedBytes(topic, previous?.topics[at], 'topic of a log', 32),
    ),
    data: requireBytes(log.data, 'data of a log'),
    transactionHash: sharedBytes(log.transactionHash, previous?.transactionHash, 'transactionHash of a log', 32),
    transactionIndex: requireNumber(log.transactionIndex, 'transactionIndex of a log'),
    index: requireNumber(log.logIndex, 'logIndex of a log'),
  }
}

/** Logs that follow each other often have the same texts: comparing costs less than checking, and one copy is kept. */
function sharedBytes(value: unknown, previous: string | undefined, what: string, length: number): string {
  return previous !== undefined && value === previous ? previous : requireBytes(value, what, length)
}

export function readReceipt(answer: unknown): Receipt {
  const receipt = requireRecord(answer, 'receipt')
  return {
    transactionHash: requireBytes(receipt.transactionHash, 'transactionHash of a receipt', 32),
    status: receipt.status == null ? null : requireNumber(receipt.status, 'status of a receipt'),
    logs: readLogs(receipt.logs),
    gasUsed: readOrNull(receipt.gasUsed, requireInteger),
    effectiveGasPrice: readOrNull(receipt.effectiveGasPrice, requireAmount),
    contractAddress: readOrNull(receipt.contractAddress, requireAddress),
  }
}

/** Nodes differ in these fields. A header or receipt is also read for other fields, which must not fail because of them. */
function readOrNull<T>(value: unknown, read: (value: unknown, what: string) => T): T | null {
  if (value === null || value === undefined) return null
  try {
    return read(value, 'field')
  } catch (error) {
    if (error instanceof UpstreamError) return null
    throw error
  }
}

function requireAddress(value: unknown, what: string): string {
  return requireBytes(value, what, 20)
}

export function readTransaction(answer: unknown): SentTransaction {
  const raw = requireRecord(answer, 'transaction')
  return {
    index: requireNumber(raw.transactionIndex, 'transactionIndex'),
    hash: requireBytes(raw.hash, 'hash of a transaction', 32),
    type: requireNumber(raw.type ?? '0x0', 'type of a transaction'),
    from: requireBytes(raw.from, 'from of a transaction', 20),
    to: raw.to == null ? null : requireBytes(raw.to, 'to of a transaction', 20),
    nonce: requireInteger(raw.nonce, 'nonce of a transaction'),
    gasLimit: requireInteger(raw.gas, 'gas of a transaction'),
    gasPrice: raw.gasPrice == null ? null : requireAmount(raw.gasPrice, 'gasPrice of a transaction'),
    ...readFees(raw),
    input: requireBytes(raw.input ?? raw.data, 'input of a transaction'),
    value: requireAmount(raw.value, 'value of a transaction'),
  }
}

function readFees(raw: Record<string, unknown>): Pick<EvmTransaction, 'maxFeePerGas' | 'maxPriorityFeePerGas'> {
  if (raw.maxFeePerGas == null || raw.maxPriorityFeePerGas == null) return {}
  return {
    maxFeePerGas: requireAmount(raw.maxFeePerGas, 'maxFeePerGas of a transaction'),
    maxPriorityFeePerGas: requireAmount(raw.maxPriorityFeePerGas, 'maxPriorityFeePerGas of a transaction'),
  }
}
