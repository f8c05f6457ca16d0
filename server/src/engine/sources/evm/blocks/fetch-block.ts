import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { BlockOptions, BlockPart, ChainBlock, UnreadablePart } from '../../block.ts'
import { UnprovenBlock } from '../../block.ts'
import type { OneEndpoint } from '../../rpc-pool/index.ts'
import { type EvmCall, EvmContents, type EvmParts, type EvmTransaction } from '../contents.ts'
import { readAtOne } from '../rpc.ts'
import type { BlockReader } from './block-reader.ts'
import { fetchCalls, unreadableTraces } from './fetch-calls.ts'
import { type BlockLogs, fetchLogs } from './fetch-logs.ts'
import { fetchReceipts, isBadAnswer } from './fetch-receipts.ts'
import type { EndpointMemory } from './log-requests.ts'
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
 * With `mayLack`, transactions that no endpoint returns in a readable form, or for a while not at all, do not prevent reading
 * the other parts.
 */
export async function fetchBlock(
  reader: BlockReader,
  which: number | string,
  parts: readonly BlockPart[] = everything,
  options: FetchOptions = {},
): Promise<ChainBlock | undefined> {
  if (!parts.includes('transactions')) return fetchLogsOnly(reader, which, parts, options)
  const others = parts.filter((part) => part !== 'transactions' && part !== 'traces' && part !== 'any_traces')
  const mayLack = options.mayLack === true && others.length > 0
  const { transactions } = reader
  const readOthers = (reason: string) => fetchWithout(reader, which, others, options, reason)
  if (mayLack && transactions.skipped !== undefined) return readOthers(transactions.skipped)
  try {
    const block = await fetchWithTransactions(reader, which, parts, options)
    transactions.succeeded()
    return block
  } catch (error) {
    if (!(error instanceof UpstreamError) || !mayLack) throw error
    if (error instanceof UnreadableAnswer || error.kind === 'too_large') return readOthers(error.message)
    if (!transactions.isOverFor(which)) throw isBadAnswer(error) ? new UnprovenBlock(error.message) : error
    // If the logs cannot be read either, the trouble is not about transactions.
    const block = await readOthers(error.message)
    transactions.lose(error.kind === 'timeout' ? error.message : undefined)
    return block
  }
}

async function fetchWithout(
  reader: BlockReader,
  which: number | string,
  parts: readonly BlockPart[],
  options: FetchOptions,
  reason: string,
): Promise<ChainBlock | undefined> {
  const block = await fetchLogsOnly(reader, which, parts, options)
  return block && { ...block, unreadable: [{ part: 'transactions', reason, specTypes }] }
}

const specTypes = ['evm_transaction', 'evm_call']

/** Receipts contain the logs too, so one answer serves both. */
async function fetchWithTransactions(
  reader: BlockReader,
  which: number | string,
  parts: readonly BlockPart[],
  options: FetchOptions,
): Promise<ChainBlock | undefined> {
  const header = await fetchHeader(reader, which, options, true, (answer, at) =>
    readFull(answer, reader.memoryOf(at), at),
  )
  if (!header) return undefined
  const { receipts, logs, checked, doubt } = await fetchReceipts(reader, header, options.addresses)
  const transactions = withReceipts(header.sent, receipts)
  const { calls, unreadable } = await fetchTraces(reader, header, transactions, {
    isWanted: parts.includes('traces') || parts.includes('any_traces'),
    mayLack: options.mayLack || !parts.includes('traces'),
  })
  const found = { logs, checked, ...(doubt !== undefined && { doubt }) }
  // Receipts are read for listed transactions. A block without any may have logs all the same.
  const isEmpty = header.transactions.length === 0
  const ofLogs = parts.includes('logs') && isEmpty ? await fetchLogs(reader, header, options.addresses) : found
  const block = {
    ...assembleBlock(header, { ...(parts.includes('logs') && { logs: ofLogs.logs }), transactions, calls }),
    ...checkOf(ofLogs),
    ...(unreadable && { unreadable }),
  }
  return isEmpty ? { ...block, empty: ['transactions', 'traces', 'any_traces'] } : block
}

function checkOf({ checked, doubt }: Omit<BlockLogs, 'logs'>): Pick<ChainBlock, 'checked' | 'doubt'> {
  return { checked, ...(doubt !== undefined && { doubt }) }
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
    const calls = await fetchCalls(reader, header, transactions)
    reader.traces.succeeded()
    return { calls }
  } catch (error) {
    if (!(error instanceof UpstreamError) || !mayLack) throw error
    if (!(error instanceof UnreadableAnswer)) {
      if (!reader.traces.isOverFor(header.number)) throw isBadAnswer(error) ? new UnprovenBlock(error.message) : error
      reader.traces.lose()
    }
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
  if (!parts.includes('logs')) return assembleBlock(header, {})
  const found = await fetchLogs(reader, header, options.addresses)
  return { ...assembleBlock(header, { logs: found.logs }), ...checkOf(found) }
}

/** Converts the nodes' answers to what triggers read. */
function assembleBlock(header: Header, parts: Omit<EvmParts, 'header'>): ChainBlock {
  const { number, hash, parentHash, timestamp, fields } = header
  const contents = new EvmContents(timestamp, { header: fields, ...parts })
  return { number, hash, parentHash, timestampMs: timestamp * 1000, contents, bytes: contents.bytes }
}

/** Each transaction with the fields of its receipt. */
export function withReceipts(sent: readonly SentTransaction[], receipts: readonly Receipt[]): EvmTransaction[] {
  const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]))
  return sent.map((each) => {
    const found = byHash.get(each.hash)
    if (!found) return { ...each, status: null, receipt: null }
    const { status, logsCount, gasUsed, effectiveGasPrice, contractAddress } = found
    return { ...each, status, receipt: { gasUsed, effectiveGasPrice, contractAddress, logsCount } }
  })
}

/** A transaction that cannot be read is left out, unless none can. */
function readFull(answer: unknown, memory: EndpointMemory, at: OneEndpoint): Full {
  const header = readHeader(answer)
  const sent: SentTransaction[] = []
  let failure: UnreadableAnswer | undefined
  for (const [index, transaction] of header.transactions.entries())
    try {
      sent.push(readTransaction(transaction, index))
    } catch (error) {
      if (!(error instanceof UnreadableAnswer)) throw error
      failure = error
    }
  if (failure && sent.length === 0) throw failure
  if (failure && memory.mustTell('transactions')) reportUnreadable(at, header, failure)
  return { ...header, sent }
}

function reportUnreadable(at: OneEndpoint, { number, transactions }: Header, { message }: UnreadableAnswer): void {
  const what = `returned transactions of block ${number} that cannot be read, so they are left out of its ${transactions.length}: ${message}`
  at.notify('transactions_unreadable', what, 'warn')
}

function fetchHeader<H extends Header>(
  { rpc, doubts }: BlockReader,
  which: number | string,
  { mustExist = false }: FetchOptions,
  isFull: boolean,
  read: (answer: unknown, at: OneEndpoint) => H,
): Promise<H | undefined> {
  const [method, id] =
    typeof which === 'number' ? ['eth_getBlockByNumber', toHex(which)] : ['eth_getBlockByHash', which]
  return readAtOne(rpc, method, async (at) => {
    const answer = await askWhole(at, method, [id, isFull])
    if (answer !== null) {
      const header = requireBlock(read(answer, at), which)
      doubts.logs.see(header.number)
      return header
    }
    if (mustExist) throw new UpstreamError('bad_answer', `The node does not return block ${which}, which exists.`)
    return undefined
  })
}

/** Of an answer beyond the limit, all is kept that fits into a larger one. */
async function askWhole(at: OneEndpoint, method: string, params: unknown[]): Promise<unknown> {
  try {
    return await at.request(method, params)
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.kind !== 'too_large') throw error
    return at
      .requestLarge(method, params, (element) => element)
      .catch(() => {
        throw error
      })
  }
}

function requireBlock<H extends Header>(header: H, which: number | string): H {
  if (which === header.number || which === header.hash) return header
  throw new UpstreamError('bad_answer', `The node answered with block ${header.number} when asked for ${which}.`)
}
