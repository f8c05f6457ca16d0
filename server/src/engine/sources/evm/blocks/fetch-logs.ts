import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { BlockCheck } from '../../block.ts'
import type { OneEndpoint } from '../../rpc-pool/index.ts'
import type { EvmLog } from '../contents.ts'
import { missingLogs } from './ask-large.ts'
import { askByNumber, askLogs, rangeOf } from './ask-logs.ts'
import type { BlockReader } from './block-reader.ts'
import { fillsBloom, isZero, namedInBloom } from './bloom.ts'
import { type ReadLogs, readBestLogs } from './checked-logs.ts'
import { Doubted } from './doubts.ts'
import { isBadAnswer, readReceiptsAt, readReceiptsBy, receiptsOrNone } from './fetch-receipts.ts'
import { type LogRequest, logRequests, receiptRequests, useFirstServed } from './log-requests.ts'
import { proveEmpty } from './prove-empty.ts'
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
): Promise<BlockLogs> {
  const { blooms, unlisted, doubts, slowBlocks } = reader
  const isUnlisted = header.transactions.length === 0 && (header.logsBloom === undefined || isZero(header.logsBloom))
  if (isUnlisted && header.logsBloom !== undefined && !unlisted.mustAsk(header.number))
    return { logs: [], checked: blooms.exclude(header.logsBloom) ? 'bloom' : 'none' }
  const began = doubts.logs.now
  try {
    const found = await slowBlocks.run(header.hash, (timeoutMs) => readLogs(reader, header, addresses, timeoutMs))
    doubts.logs.passed(header)
    if (isUnlisted) unlisted.learn(found.logs.length)
    blooms.learn(header.logsBloom, found.logs)
    return found
  } catch (error) {
    const settled = reader.verify === 'bloom' && isBadAnswer(error) ? doubts.logs.settle(header, began) : undefined
    if (!settled) throw doubts.logs.explain(header, error)
    return { logs: settled.logs, checked: 'none', doubt: settled.reason }
  }
}

/** `doubt` says which check the logs failed that count all the same. */
export type BlockLogs = { logs: readonly EvmLog[]; checked: BlockCheck; doubt?: string }

async function readLogs(
  reader: BlockReader,
  header: Header,
  addresses: readonly string[],
  timeoutMs: number | undefined,
): Promise<BlockLogs> {
  const requests = requestsFor(reader, addresses)
  const read = (at: OneEndpoint) => logsAt(reader, at, header, requests, addresses)
  if (requests.includes('address')) return readBestLogs(reader, read, timeoutMs)
  return reader.rpc.atOne(read, { method: 'eth_getLogs', timeoutMs })
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
  const asked = { reader, at, header, addresses }
  const { request, value } = await useFirstServed(memory, requests, (request) =>
    orReceipts(asked, request, () => logsBy(asked, request)),
  )
  memory.reportRequest(at, request)
  if (requests.includes('address')) memory.learnRequest(request)
  return { request, at, ...(await orReceipts(asked, request, () => compared(asked, request, value))) }
}

type Asked = { reader: BlockReader; at: OneEndpoint; header: Header; addresses: readonly string[] }

async function logsBy(asked: Asked, request: LogRequest): Promise<LogsByContract> {
  const { reader, at, header, addresses } = asked
  const named = request === 'address' ? addresses : undefined
  const found = named ? await logsByContract(reader, at, header, named) : await allLogsBy(asked, request)
  const isOfReceipts = request === 'receipts' || request === 'receipt'
  if (isOfReceipts || found.logs.length > 0 || !mustProve(reader, header, named)) return found
  return { ...(await proveEmpty(reader, at, header, named)), isDoubtful: false }
}

/** True if nothing shows yet that the list of logs is rightly empty. */
function mustProve({ blooms }: BlockReader, { logsBloom }: Header, addresses: readonly string[] | undefined): boolean {
  return blooms.areSilent(logsBloom) && !blooms.exclude(logsBloom, addresses)
}

async function allLogsBy({ reader, at, header, addresses }: Asked, request: LogRequest): Promise<LogsByContract> {
  if (request === 'receipts' || request === 'receipt')
    return { ...(await readReceiptsBy(reader, at, header, request, addresses)), isDoubtful: false }
  const { logs, large } = await (request === 'hash'
    ? askLogs(reader, at, header, { blockHash: header.hash }, addresses)
    : askByNumber(reader, at, header))
  if (large) return { logs, ...large, isDoubtful: false, isLarge: true }
  if (!fillsBloom(header.logsBloom, logs)) throw new Doubted('bloom', missingLogs(header, logs.length), { logs })
  return { logs, checked: reader.blooms.canCheck(header.logsBloom, logs) ? 'bloom' : 'none', isDoubtful: false }
}

/**
 * Notes an answer that fails a check. If the block goes on to fail it, the receipts of the endpoint may be right, or agree with
 * the logs.
 */
async function orReceipts(
  { reader, at, header }: Asked,
  request: LogRequest,
  read: () => Promise<LogsByContract>,
): Promise<LogsByContract> {
  try {
    return await read()
  } catch (error) {
    reader.doubts.logs.note(header, `${at.index} ${request}`, error)
    const isOfReceipts = request === 'receipts' || request === 'receipt'
    if (!(error instanceof Doubted) || isOfReceipts || header.transactions.length === 0) throw error
    const mayHelp = error.doubt === 'bloom' || error.doubt === 'numbers'
    if (!mayHelp || !reader.doubts.logs.mustAskOtherwise(header, error.doubt)) throw error
    const found = await receiptsOrNone(reader, at, header)
    if (!found) throw error
    reportDifference(at, header, error.found.logs.length, found.logs.length)
    return { ...found, isDoubtful: false }
  }
}

/** Compares logs of eth_getLogs with the receipts if their indexes have gaps, and for a sample of the blocks. */
async function compared(
  { reader, at, header, addresses }: Asked,
  request: LogRequest,
  found: LogsByContract,
): Promise<LogsByContract> {
  const { logs } = found
  if (request === 'receipts' || request === 'receipt' || found.isLarge) return found
  const isByContract = request === 'address'
  if (!isByContract && !reader.memoryOf(at).numbering.isWhole(logs))
    return { ...found, ...(await withoutGaps(reader, at, header, logs)) }
  if (!isSample(reader, at, header)) return found
  return { ...found, ...(await sampled(reader, at, header, logs, isByContract ? addresses : undefined)) }
}

/** Either the node omitted logs, or its numbering has gaps. Its receipts show which. */
async function withoutGaps(reader: BlockReader, at: OneEndpoint, header: Header, logs: readonly EvmLog[]) {
  const { numbering } = reader.memoryOf(at)
  const found = await receiptsOrNone(reader, at, header)
  const all = found?.logs
  if (all?.length === logs.length) numbering.accept(all)
  if (all && (found.isProven || numbering.isWhole(all))) {
    if (all.length !== logs.length) reportDifference(at, header, logs.length, all.length)
    return { logs: all, ...(found?.isProven && { checked: found.checked }) }
  }
  const message = `The node returned ${logs.length} logs of block ${header.number}, and their indexes show that some are missing or repeated.`
  throw new Doubted('numbers', message, { logs })
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
): Promise<Partial<LogsByContract>> {
  try {
    const { logs: given, isProven } = await readReceiptsAt(reader, at, header, ['receipts'])
    const all = given.filter(({ address }) => addresses?.includes(address) ?? true)
    if (!isProven) return {}
    if (!areSame(all, logs)) reportDifference(at, header, logs.length, all.length)
    return { logs: all, checked: 'receipts' }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    if (error.kind === 'bad_answer' && !reader.memoryOf(at).isRefused('receipts'))
      at.notify(
        'sample_failed',
        `returned receipts of block ${header.number} that do not fit: ${error.message}`,
        'warn',
      )
    return {}
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

/** `isDoubtful`: the bloom names a contract that has no log in the answer, and this endpoint cannot show which is right. */
type LogsByContract = {
  logs: readonly EvmLog[]
  isDoubtful: boolean
  checked: BlockCheck
  doubt?: string
  /** The answer was so large that it was checked while it was read. */
  isLarge?: true
}

/** If the bloom names at most this many contracts by chance, missing logs justify another call. */
const askAgainMax = 0.25
/** At most this many justify fetching the receipts of the block. */
const readReceiptsMax = 0.02

/**
 * The logs of these contracts. Nothing in a block shows whether they are complete, except in one case: the bloom names a
 * contract of which the answer has no log. Either logs were left out, or the bloom names the contract by chance. The
 * endpoint is then asked again for these contracts, and for the receipts of the block. The fuller a bloom is, the more
 * contracts it names by chance: each check is made only if chance alone leads to it in few blocks.
 */
async function logsByContract(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  addresses: readonly string[],
): Promise<LogsByContract> {
  const { logs: first, large } = await askByNumber(reader, at, header, addresses)
  if (large) return { logs: first, ...large, checked: 'none', isDoubtful: false, isLarge: true }
  const missing = missingFrom(first, header, addresses)
  if (missing.contracts.length === 0 || missing.byChance > askAgainMax)
    return { logs: first, checked: 'none', isDoubtful: false }
  // An empty list has already been requested twice.
  const added = first.length === 0 ? [] : (await askLogs(reader, at, header, rangeOf(header, missing.contracts))).logs
  if (added.length > 0) tellAdded(at, header, added.length)
  const logs = [...first, ...added]
  const isSettled = missingFrom(logs, header, addresses).contracts.length === 0
  if (isSettled || missing.byChance > readReceiptsMax) return { logs, checked: 'none', isDoubtful: false }
  return fromReceipts(reader, at, header, addresses, logs)
}

function missingFrom(logs: readonly EvmLog[], header: Header, addresses: readonly string[]) {
  const given = new Set(logs.map(({ address }) => address))
  const { named, byChance } = namedInBloom(
    header.logsBloom,
    addresses.filter((address) => !given.has(address)),
  )
  return { contracts: named, byChance }
}

async function fromReceipts(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  addresses: readonly string[],
  given: readonly EvmLog[],
): Promise<LogsByContract> {
  const memory = reader.memoryOf(at)
  const isRefused = memory.isRefused('receipts') && memory.isRefused('receipt')
  const found = isRefused ? undefined : await receiptsOrNone(reader, at, header)
  if (!found) return { logs: given, checked: 'none', isDoubtful: true }
  const logs = found.logs.filter(({ address }) => addresses.includes(address))
  if (logs.length > given.length) tellAdded(at, header, logs.length - given.length)
  return { logs: logs.length > given.length ? logs : given, checked: found.checked, isDoubtful: false }
}

function tellAdded(at: OneEndpoint, { number }: Header, count: number): void {
  at.reportTrouble(
    'endpoint_incomplete',
    `left ${count} logs of block ${number} out at first; a second call gave them.`,
  )
}
