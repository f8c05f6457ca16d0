import { UpstreamError } from '../../world.ts'
import type { OneEndpoint } from '../rpc-pool/index.ts'
import type { BlockReader } from './block-reader.ts'
import { requireFilledBloom } from './bloom.ts'
import type { EvmLog } from './contents.ts'
import { type Receipts, receiptsAt, receiptsBy } from './fetch-receipts.ts'
import { byFirstWay, type LogWay, logWays, receiptWays } from './log-ways.ts'
import { toHex } from './quantities.ts'
import { type Header, readHeader, readLogBlock, readLogs } from './read-answers.ts'

/** One block in so many is compared with its receipts, where the endpoint gives them in one call. */
const sampleEvery = 64

/**
 * The logs of a block from one endpoint, by the first way that it serves. `addresses` are the contracts that matter: an
 * endpoint that gives logs only by contract is asked for theirs, any other for all logs.
 */
export async function fetchLogs(
  reader: BlockReader,
  header: Header,
  addresses: readonly string[] | undefined,
): Promise<readonly EvmLog[]> {
  const hasNone = header.transactions.length === 0 && header.logsBloom !== undefined && /^0x0*$/.test(header.logsBloom)
  if (hasNone) return []
  return reader.rpc.atOne((at) => logsAt(reader, at, header, addresses), { method: 'eth_getLogs' })
}

async function logsAt(reader: BlockReader, at: OneEndpoint, header: Header, addresses: readonly string[] = []) {
  const memory = reader.memoryOf(at)
  const ways = waysFor(reader, addresses)
  const { way, value: logs } = await byFirstWay(memory, ways, (way) => logsBy(reader, at, header, way, addresses))
  memory.tellWay(at, way)
  if (way === 'receipts' || way === 'receipt') return logs
  if (way === 'address') return isSample(reader, at, header) ? sampled(reader, at, header, logs, addresses) : logs
  if (!memory.numbering.isWhole(logs)) return withoutGaps(reader, at, header, logs)
  return isSample(reader, at, header) ? sampled(reader, at, header, logs) : logs
}

function waysFor({ verify }: BlockReader, addresses: readonly string[]): readonly LogWay[] {
  if (verify === 'receipts') return receiptWays
  return addresses.length > 0 ? logWays : logWays.filter((way) => way !== 'address')
}

async function logsBy(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  way: LogWay,
  addresses: readonly string[],
): Promise<readonly EvmLog[]> {
  if (way === 'receipts' || way === 'receipt') return logsIn(await receiptsBy(reader, at, header, way))
  if (way === 'hash') return requireFilled(header, await askLogs(at, header, { blockHash: header.hash }))
  const number = toHex(header.number)
  const range = { fromBlock: number, toBlock: number }
  if (way === 'address') return byNumber(reader, at, header, { ...range, address: addresses })
  return requireFilled(header, await byNumber(reader, at, header, range))
}

function requireFilled(header: Header, logs: readonly EvmLog[]): readonly EvmLog[] {
  requireFilledBloom(header, logs)
  return logs
}

async function askLogs(at: OneEndpoint, header: Header, filter: object): Promise<EvmLog[]> {
  const answer = await at.request('eth_getLogs', [filter])
  const logs = readLogs(answer)
  const isOther = Array.isArray(answer) && answer.some((log) => readLogBlock(log) !== header.hash)
  if (isOther)
    throw new UpstreamError('bad_answer', `The node answered with logs of another block than ${header.number}.`)
  return logs
}

type Range = { fromBlock: string; toBlock: string; address?: readonly string[] }

/** A node that has another block of this number, or none yet, answers with an empty list: it must show its block first. */
async function byNumber({ blooms }: BlockReader, at: OneEndpoint, header: Header, range: Range): Promise<EvmLog[]> {
  const logs = await askLogs(at, header, range)
  const named = range.address && new Set(range.address)
  if (named && logs.some(({ address }) => !named.has(address)))
    throw new UpstreamError('bad_answer', 'The node answered with logs of contracts that were not asked for.')
  if (blooms.exclude(header.logsBloom, range.address) || logs.length > 0) return logs
  const block = await at.request('eth_getBlockByNumber', [range.fromBlock, false])
  if (block === null || readHeader(block).hash !== header.hash)
    throw new UpstreamError('bad_answer', `The node does not have block ${header.number}, so it gives no logs of it.`)
  return askLogs(at, header, range)
}

/** Either the node left logs out, or it numbers them with gaps: its receipts tell which. */
async function withoutGaps(reader: BlockReader, at: OneEndpoint, header: Header, logs: readonly EvmLog[]) {
  const { numbering } = reader.memoryOf(at)
  const found = await receiptsOrNone(reader, at, header)
  const all = found && logsIn(found)
  if (all?.length === logs.length) numbering.accept(all)
  if (all && (found.isProven || numbering.isWhole(all))) {
    if (all.length !== logs.length) tellDifference(at, header, logs.length, all.length)
    return all
  }
  throw new UpstreamError(
    'bad_answer',
    `The node gave ${logs.length} logs of block ${header.number}, and their indexes say that some are missing or came twice.`,
  )
}

async function receiptsOrNone(reader: BlockReader, at: OneEndpoint, header: Header): Promise<Receipts | undefined> {
  try {
    return await receiptsAt(reader, at, header)
  } catch (error) {
    if (error instanceof UpstreamError && error.kind === 'bad_answer') return undefined
    throw error
  }
}

function isSample(reader: BlockReader, at: OneEndpoint, { number, transactions }: Header): boolean {
  return number % sampleEvery === 0 && transactions.length > 0 && !reader.memoryOf(at).isRefused('receipts')
}

/** What the receipts root proves goes before what eth_getLogs says. A sample that fails is told and stops nothing. */
async function sampled(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  logs: readonly EvmLog[],
  addresses?: readonly string[],
): Promise<readonly EvmLog[]> {
  try {
    const { receipts, isProven } = await receiptsAt(reader, at, header, ['receipts'])
    const all = logsIn({ receipts }).filter(({ address }) => addresses?.includes(address) ?? true)
    if (!isProven || areSame(all, logs)) return logs
    tellDifference(at, header, logs.length, all.length)
    return all
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    if (error.kind === 'bad_answer' && !reader.memoryOf(at).isRefused('receipts'))
      at.tell('sample_failed', `gave receipts of block ${header.number} that do not fit: ${error.message}`, 'warn')
    return logs
  }
}

function areSame(a: readonly EvmLog[], b: readonly EvmLog[]): boolean {
  const contentOf = (logs: readonly EvmLog[]) =>
    logs.map(({ transactionIndex, address, topics, data }) => [transactionIndex, address, topics, data].join()).sort()
  return a.length === b.length && contentOf(a).join('\n') === contentOf(b).join('\n')
}

function tellDifference(at: OneEndpoint, { number }: Header, given: number, all: number): void {
  const what = `gave ${given} logs of block ${number} by eth_getLogs, and its receipts hold others (${all}); the receipts are used.`
  at.complain('endpoint_incomplete', what)
}

function logsIn({ receipts }: Pick<Receipts, 'receipts'>): EvmLog[] {
  return receipts.flatMap(({ logs }) => logs)
}
