import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { OneEndpoint } from '../../rpc-pool/index.ts'
import type { EvmLog } from '../contents.ts'
import { askByNumber, askLogs } from './ask-logs.ts'
import type { BlockReader } from './block-reader.ts'
import { requireFilledBloom } from './bloom.ts'
import { type ReadLogs, readBestLogs } from './checked-logs.ts'
import { logsIn, readReceiptsAt, readReceiptsBy, receiptsOrNone } from './fetch-receipts.ts'
import { type LogRequest, logRequests, receiptRequests, useFirstServed } from './log-requests.ts'
import { type LogsByContract, logsByContract } from './logs-by-contract.ts'
import type { Header } from './read-answers.ts'

/** One block in this many is compared with its receipts, if the endpoint returns them in one call. */
const sampleEvery = 64

/**
 * Reads the logs of a block from one endpoint, with the first request that the endpoint serves. `addresses` are the
 * contracts that triggers name. An endpoint that returns logs only by contract gets them; any other returns all logs.
 */
export async function fetchLogs(
  reader: BlockReader,
  header: Header,
  addresses: readonly string[] = [],
): Promise<readonly EvmLog[]> {
  const hasNone = header.transactions.length === 0 && header.logsBloom !== undefined && /^0x0*$/.test(header.logsBloom)
  if (hasNone) return []
  const requests = requestsFor(reader, addresses)
  const read = (at: OneEndpoint) => logsAt(reader, at, header, requests, addresses)
  if (requests.includes('address')) return readBestLogs(reader, read)
  return (await reader.rpc.atOne(read, { method: 'eth_getLogs' })).logs
}

function requestsFor({ verify }: BlockReader, addresses: readonly string[]): readonly LogRequest[] {
  if (verify === 'receipts') return receiptRequests
  return addresses.length > 0 ? logRequests : logRequests.filter((request) => request !== 'address')
}

async function logsAt(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  requests: readonly LogRequest[],
  addresses: readonly string[],
): Promise<ReadLogs> {
  const memory = reader.memoryOf(at)
  const { request, value } = await useFirstServed(memory, requests, (request) =>
    logsBy(reader, at, header, request, addresses),
  )
  memory.reportRequest(at, request)
  if (requests.includes('address')) memory.learnRequest(request)
  const { isDoubtful } = value
  return { request, at, isDoubtful, logs: await compared(reader, at, header, request, value.logs, addresses) }
}

async function logsBy(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  request: LogRequest,
  addresses: readonly string[],
): Promise<LogsByContract> {
  if (request === 'address') return logsByContract(reader, at, header, addresses)
  return { logs: await allLogsBy(reader, at, header, request), isDoubtful: false }
}

async function allLogsBy(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  request: Exclude<LogRequest, 'address'>,
): Promise<readonly EvmLog[]> {
  if (request === 'receipts' || request === 'receipt') return logsIn(await readReceiptsBy(reader, at, header, request))
  const logs = await (request === 'hash'
    ? askLogs(at, header, { blockHash: header.hash })
    : askByNumber(reader, at, header))
  requireFilledBloom(header, logs)
  return logs
}

/** Compares logs of eth_getLogs with the receipts if their indexes have gaps, and for a sample of the blocks. */
async function compared(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  request: LogRequest,
  logs: readonly EvmLog[],
  addresses: readonly string[],
): Promise<readonly EvmLog[]> {
  if (request === 'receipts' || request === 'receipt') return logs
  const isByContract = request === 'address'
  if (!isByContract && !reader.memoryOf(at).numbering.isWhole(logs)) return withoutGaps(reader, at, header, logs)
  if (!isSample(reader, at, header)) return logs
  return sampled(reader, at, header, logs, isByContract ? addresses : undefined)
}

/** Either the node omitted logs, or its numbering has gaps. Its receipts show which. */
async function withoutGaps(reader: BlockReader, at: OneEndpoint, header: Header, logs: readonly EvmLog[]) {
  const { numbering } = reader.memoryOf(at)
  const found = await receiptsOrNone(reader, at, header)
  const all = found && logsIn(found)
  if (all?.length === logs.length) numbering.accept(all)
  if (all && (found.isProven || numbering.isWhole(all))) {
    if (all.length !== logs.length) reportDifference(at, header, logs.length, all.length)
    return all
  }
  throw new UpstreamError(
    'bad_answer',
    `The node returned ${logs.length} logs of block ${header.number}, and their indexes show that some are missing or repeated.`,
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
    const { receipts, isProven } = await readReceiptsAt(reader, at, header, ['receipts'])
    const all = logsIn({ receipts }).filter(({ address }) => addresses?.includes(address) ?? true)
    if (!isProven || areSame(all, logs)) return logs
    reportDifference(at, header, logs.length, all.length)
    return all
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    if (error.kind === 'bad_answer' && !reader.memoryOf(at).isRefused('receipts'))
      at.notify(
        'sample_failed',
        `returned receipts of block ${header.number} that do not fit: ${error.message}`,
        'warn',
      )
    return logs
  }
}

function areSame(a: readonly EvmLog[], b: readonly EvmLog[]): boolean {
  const contentOf = (logs: readonly EvmLog[]) =>
    logs.map(({ transactionIndex, address, topics, data }) => [transactionIndex, address, topics, data].join()).sort()
  return a.length === b.length && contentOf(a).join('\n') === contentOf(b).join('\n')
}

function reportDifference(at: OneEndpoint, { number }: Header, given: number, all: number): void {
  const what = `returned ${given} logs of block ${number} by eth_getLogs, and its receipts contain others (${all}). The receipts are used.`
  at.reportTrouble('endpoint_incomplete', what)
}
