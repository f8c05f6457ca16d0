import { isObject } from '../../../base/json.ts'
import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { EvmHeader, EvmLog, EvmReceipt, EvmTransaction } from '../contents.ts'
import { readBloom } from './bloom.ts'
import { requireAmount, requireBytes, requireInteger, requireList, requireNumber, requireRecord } from './quantities.ts'

/** Parses a node's answers once, at the edge. It ignores fields that no trigger reads. */

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
export type Receipt = EvmReceipt & {
  transactionHash: string
  /** Null if the node does not return it. */
  transactionIndex: number | null
  status: number | null
  /** All logs, or those that can match if the answer was too large for all. */
  logs: readonly EvmLog[]
}

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
export function readHashes({ transactions }: Pick<Header, 'transactions'>): string[] {
  return transactions.map((each) =>
    requireBytes(typeof each === 'string' ? each : requireRecord(each, 'transaction').hash, 'hash', 32),
  )
}

/** The index of each transaction, by its hash; its position if the block has only hashes. */
export function readIndexes(header: Header): Map<string, number> {
  const hashes = readHashes(header)
  return new Map(
    header.transactions.map((each, at) => {
      const index = isObject(each) ? readOrNull(each.transactionIndex, requireNumber) : null
      return [hashes[at] ?? '', index ?? at]
    }),
  )
}

/** The block that a log names. A node that answers for another block has processed a reorg meanwhile. */
export function readLogBlock(log: unknown): string {
  return requireBytes(requireRecord(log, 'log').blockHash, 'blockHash of a log', 32)
}

export function readLog(answer: unknown, previous?: EvmLog): EvmLog {
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
  return readReceiptWith(receipt, readLogs(receipt.logs))
}

/** A receipt whose logs were read before. */
export function readReceiptWith(
  receipt: Record<string, unknown>,
  logs: readonly EvmLog[],
  logsCount = logs.length,
): Receipt {
  return {
    transactionHash: requireBytes(receipt.transactionHash, 'transactionHash of a receipt', 32),
    transactionIndex: readOrNull(receipt.transactionIndex, requireNumber),
    status: receipt.status == null ? null : requireNumber(receipt.status, 'status of a receipt'),
    logs,
    logsCount,
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

/**
 * A transaction with what it has. Chains add types of their own, and some nodes leave fields out: a deposit of the OP stack has
 * no nonce, and other types have no input or recipient. Only its hash and its sender must be there.
 */
export function readTransaction(answer: unknown, index: number): SentTransaction {
  const raw = requireRecord(answer, 'transaction')
  const input = raw.input ?? raw.data
  return {
    index: raw.transactionIndex == null ? index : requireNumber(raw.transactionIndex, 'transactionIndex'),
    hash: requireBytes(raw.hash, 'hash of a transaction', 32),
    type: readOrNull(raw.type, requireNumber) ?? 0,
    from: requireBytes(raw.from, 'from of a transaction', 20),
    to: readOrNull(raw.to, requireAddress),
    nonce: readOrNull(raw.nonce, requireInteger),
    gasLimit: readOrNull(raw.gas, requireInteger),
    gasPrice: readOrNull(raw.gasPrice, requireAmount),
    ...readFees(raw),
    input: readOrNull(input, requireBytes) ?? '0x',
    value: readOrNull(raw.value, requireAmount) ?? '0',
  }
}

function readFees(raw: Record<string, unknown>): Pick<EvmTransaction, 'maxFeePerGas' | 'maxPriorityFeePerGas'> {
  const maxFeePerGas = readOrNull(raw.maxFeePerGas, requireAmount)
  const maxPriorityFeePerGas = readOrNull(raw.maxPriorityFeePerGas, requireAmount)
  return maxFeePerGas === null || maxPriorityFeePerGas === null ? {} : { maxFeePerGas, maxPriorityFeePerGas }
}
