import { type Frame, flatTraces, type TraceMethod } from '../nodes/evm-traces.ts'
import { type Block, callInput } from './chain.ts'
import type { Traits } from './traits.ts'

/** A block and its parts in the JSON of nodes. */

export function headerAnswer(block: Block, isWhole: boolean, traits: Traits) {
  const { number, hash, parentHash, timestamp, bloom } = block
  const hashes = transactionsOf(block)
  return {
    number: hex(number),
    hash,
    parentHash,
    timestamp: hex(timestamp),
    ...bloomOf(bloom, traits),
    transactions: isWhole ? hashes.map((hash, index) => transactionAnswer(hash, index, traits)) : hashes,
  }
}

export function logAnswers(block: Block, { numbersPerTransaction }: Traits) {
  const before = new Map<number, number>()
  return block.logs.map(({ address, topics, data, transaction, isLarge }, position) => {
    const place = before.get(transaction) ?? 0
    before.set(transaction, place + 1)
    return {
      address,
      topics,
      data: isLarge ? padding : data,
      blockNumber: hex(block.number),
      blockHash: block.hash,
      transactionHash: transactionHash(block, transaction),
      transactionIndex: hex(transaction),
      logIndex: hex(numbersPerTransaction ? place : position),
      removed: false,
    }
  })
}

function bloomOf(truth: string, { bloom }: Traits) {
  if (bloom === 'absent') return {}
  return { logsBloom: bloom === 'true' ? truth : `0x${(bloom === 'zero' ? '00' : 'ff').repeat(256)}` }
}

/** The data of a large log in an answer. The node writes many zeros in its place, without a copy for each answer. */
export const padding = '0xpadding'

/** Without a receipts root in the header, only the bloom checks the receipts. */
export function receiptAnswers(block: Block, logs: ReturnType<typeof logAnswers>) {
  return transactionsOf(block).map((hash, index) => ({
    transactionHash: hash,
    transactionIndex: hex(index),
    blockHash: block.hash,
    blockNumber: hex(block.number),
    type: '0x2',
    status: '0x1',
    cumulativeGasUsed: hex(21_000 * (index + 1)),
    gasUsed: hex(21_000),
    effectiveGasPrice: '0x1',
    contractAddress: null,
    logs: logs.filter(({ transactionHash }) => transactionHash === hash),
  }))
}

/** Each transaction calls the contract of each of its logs, with the data of the log. */
export function traceAnswers(block: Block, method: TraceMethod): object[] {
  const transactions = transactionsOf(block)
  const frames = transactions.map((_, index): Frame => {
    const calls = block.logs.filter(({ transaction }) => transaction === index)
    return { ...frameOf('0x', sender), calls: calls.map((log) => frameOf(callInput(log), log.address)) }
  })
  if (method === 'debug_traceBlockByHash') return frames.map((result, at) => ({ txHash: transactions[at], result }))
  const place = { hash: block.hash, number: hex(block.number), transactions }
  return frames.flatMap((frame, index) => flatTraces(frame, [], place, index))
}

function frameOf(input: string, to: string): Frame {
  return { type: 'CALL', from: sender, to, value: '0x0', gas: hex(21_000), gasUsed: hex(9), input }
}

const sender = `0x${'a'.repeat(40)}`

/** A complete transaction if its type is known; otherwise a form of which only the hash can be read. */
function transactionAnswer(hash: string, index: number, { hasUnreadableTransactions }: Traits) {
  if (hasUnreadableTransactions) return { hash, transactionIndex: hex(index), type: '0x7b', payload: { sealed: '0x' } }
  const fees = { gas: hex(21_000), gasPrice: '0x1', maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' }
  const rest = { nonce: hex(index), input: '0x', value: '0x0', ...fees }
  return { hash, transactionIndex: hex(index), type: '0x2', from: sender, to: sender, ...rest }
}

function transactionsOf(block: Block): string[] {
  const count = (block.logs.at(-1)?.transaction ?? -1) + 1
  return Array.from({ length: count }, (_, index) => transactionHash(block, index))
}

function transactionHash(block: Block, index: number): string {
  return `0x${index.toString(16).padStart(4, '0')}${block.hash.slice(6)}`
}

/** The hash of a transaction begins like its block's hash, except for four digits. */
export function isTransactionOf(block: Block, hash: string): boolean {
  return hash.slice(6) === block.hash.slice(6)
}

export function hex(number: number): string {
  return `0x${number.toString(16)}`
}
