import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { OneEndpoint } from '../../rpc-pool/index.ts'
import type { EvmLog } from '../contents.ts'
import { askByNumber, askLogs } from './ask-logs.ts'
import type { BlockReader } from './block-reader.ts'
import { requireFilledBloom } from './bloom.ts'
import { type ReadLogs, readBestLogs } from './checked-logs.ts'
import { logsIn, receiptsAt, receiptsBy, receiptsOrNone } from './fetch-receipts.ts'
import { byFirstWay, type LogWay, logWays, receiptWays } from './log-ways.ts'
import { type LogsByContract, logsByContract } from './logs-by-contract.ts'
import type { Header } from './read-answers.ts'

/** One block in this many is compared with its receipts, if the endpoint returns them in one call. */
const sampleEvery = 64

/**
 * The logs of a block from one endpoint, by the first way that it serves. `addresses` are the contracts that matter: an
 * endpoint that gives logs only by contract is asked for theirs, any other for all logs.
 */
export async function fetchLogs(
  reader: BlockReader,
  header: Header,
  addresses: readonly string[] = [],
): Promise<readonly EvmLog[]> {
  const hasNone = header.transactions.length === 0 && header.logsBloom !== undefined && /^0x0*$/.test(header.logsBloom)
  if (hasNone) return []
  const ways = waysFor(reader, addresses)
  const read = (at: OneEndpoint) => logsAt(reader, at, header, ways, addresses)
  if (ways.includes('address')) return readBestLogs(reader, read)
  return (await reader.rpc.atOne(read, { method: 'eth_getLogs' })).logs
}

function waysFor({ verify }: BlockReader, addresses: readonly string[]): readonly LogWay[] {
  if (verify === 'receipts') return receiptWays
  return addresses.length > 0 ? logWays : logWays.filter((way) => way !== 'address')
}

async function logsAt(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  ways: readonly LogWay[],
  addresses: readonly string[],
): Promise<ReadLogs> {
  const memory = reader.memoryOf(at)
  const { way, value } = await byFirstWay(memory, ways, (way) => logsBy(reader, at, header, way, addresses))
  memory.tellWay(at, way)
  if (ways.includes('address')) memory.learnWay(way)
  const { isDoubtful } = value
  return { way, at, isDoubtful, logs: await compared(reader, at, header, way, value.logs, addresses) }
}

async function logsBy(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  way: LogWay,
  addresses: readonly string[],
): Promise<LogsByContract> {
  if (way === 'address') return logsByContract(reader, at, header, addresses)
  return { logs: await allLogsBy(reader, at, header, way), isDoubtful: false }
}

async function allLogsBy(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  way: Exclude<LogWay, 'address'>,
): Promise<readonly EvmLog[]> {
  if (way === 'receipts' || way === 'receipt') return logsIn(await receiptsBy(reader, at, header, way))
  const logs = await (way === 'hash'
    ? askLogs(at, header, { blockHash: header.hash })
    : askByNumber(reader, at, header))
  requireFilledBloom(header, logs)
  return logs
}

/** The logs that eth_getLogs gave, compared with receipts where their indexes have gaps and for a sample of the blocks. */
async function compared(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  way: LogWay,
  logs: readonly EvmLog[],
  addresses: readonly string[],
): Promise<readonly EvmLog[]> {
  if (way === 'receipts' || way === 'receipt') return logs
  const isByContract = way === 'address'
  if (!isByContract && !reader.memoryOf(at).numbering.isWhole(logs)) return withoutGaps(reader, at, header, logs)
  if (!isSample(reader, at, header)) return logs
  return sampled(reader, at, header, logs, isByContract ? addresses : undefined)
}

/** Either the node left out logs, or its numbering has gaps. Its receipts show which. */
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

function isSample(reader: BlockReader, at: OneEndpoint, { number, transactions }: Header): boolean {
  return number % sampleEvery === 0 && transactions.length > 0 && !reader.memoryOf(at).isRefused('receipts')
}

/** Proven receipts have priority over eth_getLogs. A failed sample is reported and does not stop the read. */
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
      at.notify('sample_failed', `gave receipts of block ${header.number} that do not fit: ${error.message}`, 'warn')
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
  at.reportTrouble('endpoint_incomplete', what)
}
