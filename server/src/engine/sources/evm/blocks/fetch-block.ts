import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { BlockOptions, BlockPart, ChainBlock, UnreadablePart } from '../../block.ts'
import { type EvmCall, EvmContents, type EvmParts, type EvmTransaction } from '../contents.ts'
import { readAtOne } from '../rpc.ts'
import type { BlockReader } from './block-reader.ts'
import { fetchCalls, unreadableTraces } from './fetch-calls.ts'
import { fetchLogs } from './fetch-logs.ts'
import { fetchReceipts } from './fetch-receipts.ts'
import { toHex, UnreadableAnswer } from './quantities.ts'
import { type Header, type Receipt, readHeader, readTransaction, type SentTransaction } from './read-answers.ts'

const everything: readonly BlockPart[] = ['logs', 'transactions']

export type FetchOptions = BlockOptions & {
  /** The network has the block, so null is the answer of a lagging node. */
  mustExist?: boolean
}
type Full = Header & { sent: readonly SentTransaction[] }

/**
 * Fetches a block by number or hash with the wanted parts and checks it as far as possible; undefined when it does not exist.
 * With `mayLack`, transactions that no endpoint returns in a readable form do not prevent reading the other parts.
 */
export async function fetchBlock(
  reader: BlockReader,
  which: number | string,
  parts: readonly BlockPart[] = everything,
  options: FetchOptions = {},
): Promise<ChainBlock | undefined> {
  if (!parts.includes('transactions')) return fetchLogsOnly(reader, which, parts, options)
  try {
    return await fetchWithTransactions(reader, which, parts, options)
  } catch (error) {
    const others = parts.filter((part) => part !== 'transactions' && part !== 'traces' && part !== 'any_traces')
    if (!(error instanceof UnreadableAnswer) || !options.mayLack || others.length === 0) throw error
    const block = await fetchLogsOnly(reader, which, others, options)
    return block && { ...block, unreadable: [{ part: 'transactions', reason: error.message, specTypes }] }
  }
}

const specTypes = ['evm_transaction', 'evm_call']

/** Receipts contain the logs too, so one answer serves both. */
async function fetchWithTransactions(
  reader: BlockReader,
  which: number | string,
  parts: readonly BlockPart[],
  options: FetchOptions,
): Promise<ChainBlock | undefined> {
  const header = await fetchHeader(reader, which, options, true, readFull)
  if (!header) return undefined
  const { receipts } = await fetchReceipts(reader, header)
  const logs = parts.includes('logs') ? receipts.flatMap(({ logs }) => logs) : undefined
  const transactions = withReceipts(header.sent, receipts)
  const { calls, unreadable } = await fetchTraces(reader, header, transactions, {
    isWanted: parts.includes('traces') || parts.includes('any_traces'),
    mayLack: options.mayLack || !parts.includes('traces'),
  })
  const block = { ...assembleBlock(header, { logs, transactions, calls }), ...(unreadable && { unreadable }) }
  return header.sent.length === 0 ? { ...block, empty: ['transactions', 'traces', 'any_traces'] } : block
}

/** A source without traces serves the other triggers all the same. */
async function fetchTraces(
  reader: BlockReader,
  header: Header,
  transactions: readonly EvmTransaction[],
  { isWanted, mayLack }: { isWanted: boolean; mayLack: boolean },
): Promise<{ calls?: EvmCall[]; unreadable?: UnreadablePart[] }> {
  if (!isWanted) return {}
  try {
    return { calls: await fetchCalls(reader, header, transactions) }
  } catch (error) {
    if (!(error instanceof UnreadableAnswer) || !mayLack) throw error
    return { unreadable: unreadableTraces(error.message) }
  }
}

async function fetchLogsOnly(
  reader: BlockReader,
  which: number | string,
  parts: readonly BlockPart[],
  options: FetchOptions,
): Promise<ChainBlock | undefined> {
  const header = await fetchHeader(reader, which, options, false, readHeader)
  if (!header) return undefined
  return assembleBlock(
    header,
    parts.includes('logs') ? { logs: await fetchLogs(reader, header, options.addresses) } : {},
  )
}

/** Converts the nodes' answers to what matchers read. */
function assembleBlock(header: Header, parts: Omit<EvmParts, 'header'>): ChainBlock {
  const { number, hash, parentHash, timestamp, fields } = header
  const contents = new EvmContents(timestamp, { header: fields, ...parts })
  return { number, hash, parentHash, timestampMs: timestamp * 1000, contents, bytes: contents.bytes }
}

/** Each transaction with the fields of its receipt. */
export function withReceipts(sent: readonly SentTransaction[], receipts: readonly Receipt[]): EvmTransaction[] {
  const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]))
  return sent.map((each) => {
    const receipt = byHash.get(each.hash)
    if (!receipt) return { ...each, status: null, receipt: null }
    const { status, logs, gasUsed, effectiveGasPrice, contractAddress } = receipt
    return { ...each, status, receipt: { gasUsed, effectiveGasPrice, contractAddress, logsCount: logs.length } }
  })
}

function readFull(answer: unknown): Full {
  const header = readHeader(answer)
  return { ...header, sent: header.transactions.map(readTransaction) }
}

function fetchHeader<H extends Header>(
  { rpc }: BlockReader,
  which: number | string,
  { mustExist = false }: FetchOptions,
  isFull: boolean,
  read: (answer: unknown) => H,
): Promise<H | undefined> {
  const [method, id] =
    typeof which === 'number' ? ['eth_getBlockByNumber', toHex(which)] : ['eth_getBlockByHash', which]
  return readAtOne(rpc, method, async (at) => {
    const answer = await at.request(method, [id, isFull])
    if (answer !== null) return requireBlock(read(answer), which)
    if (mustExist) throw new UpstreamError('bad_answer', `The node does not return block ${which}, which exists.`)
    return undefined
  })
}

function requireBlock<H extends Header>(header: H, which: number | string): H {
  if (which === header.number || which === header.hash) return header
  throw new UpstreamError('bad_answer', `The node answered with block ${header.number} when asked for ${which}.`)
}
