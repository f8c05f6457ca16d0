import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { BlockCheck } from '../../block.ts'
import type { OneEndpoint } from '../../rpc-pool/index.ts'
import type { EvmLog } from '../contents.ts'
import { readAtOne } from '../rpc.ts'
import { askLarge, LargeLogs, missingLogs } from './ask-large.ts'
import type { BlockReader } from './block-reader.ts'
import { fillsBloom } from './bloom.ts'
import { Doubted, type Found } from './doubts.ts'
import { type ReceiptRequest, receiptRequests, useFirstServed } from './log-requests.ts'
import { requireGiven, requireList, requireRecord } from './quantities.ts'
import { type Header, type Receipt, readHashes, readIndexes, readReceipt } from './read-answers.ts'

/**
 * One receipt for each transaction, and the logs of all receipts, also of those that belong to no listed transaction.
 * `isProven`: the receipts root of the block proves that the receipts are complete and exact.
 */
export type Receipts = {
  receipts: Receipt[]
  logs: readonly EvmLog[]
  isProven: boolean
  checked: BlockCheck
  doubt?: string
}

/** Single receipts are requested in groups, so that a large block does not flood its endpoint. */
const atOnce = 10

/** One receipt for each transaction of the block, all from one endpoint, because the root can only be checked with all of them. */
export async function fetchReceipts(
  reader: BlockReader,
  header: Header,
  addresses?: readonly string[],
): Promise<Receipts> {
  const { doubts, slowBlocks, rpc } = reader
  const read = async (at: OneEndpoint) => {
    try {
      return await readReceiptsAt(reader, at, header, receiptRequests, addresses)
    } catch (error) {
      doubts.receipts.note(header, String(at.index), error)
      throw error
    }
  }
  const began = doubts.receipts.now
  try {
    const found = await slowBlocks.run(`${header.hash} receipts`, (timeoutMs) =>
      readAtOne(rpc, 'eth_getBlockReceipts', read, timeoutMs),
    )
    doubts.receipts.passed(header)
    return found
  } catch (error) {
    const settled = reader.verify === 'bloom' && isBadAnswer(error) ? doubts.receipts.settle(header, began) : undefined
    if (!settled?.receipts) throw doubts.receipts.explain(header, error)
    const { receipts, logs, reason } = settled
    return { receipts, logs, isProven: false, checked: 'none', doubt: reason }
  }
}

export function isBadAnswer(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && error.kind === 'bad_answer'
}

/** In one call if the endpoint supports it, else one by one. */
export async function readReceiptsAt(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  requests: readonly ReceiptRequest[] = receiptRequests,
  addresses?: readonly string[],
): Promise<Receipts> {
  const { value } = await useFirstServed(reader.memoryOf(at), requests, (request) =>
    readReceiptsBy(reader, at, header, request, addresses),
  )
  return value
}

/** Undefined when the endpoint has no usable receipts of the block. */
export async function receiptsOrNone(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
): Promise<Receipts | undefined> {
  try {
    return await readReceiptsAt(reader, at, header)
  } catch (error) {
    reader.doubts.logs.note(header, `${at.index} receipts`, error)
    if (isBadAnswer(error)) return undefined
    throw error
  }
}

/** `addresses` are the contracts whose logs are kept if the answer is too large for all. */
export async function readReceiptsBy(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  request: ReceiptRequest,
  addresses?: readonly string[],
): Promise<Receipts> {
  if (header.transactions.length === 0) return { receipts: [], logs: [], isProven: true, checked: 'receipts' }
  const asked = { reader, at, header, addresses }
  const { answers, large } = request === 'receipts' ? await inOneCall(asked) : await oneByOne(asked, readHashes(header))
  const all = await withMissing(asked, { answers, large }, request)
  return all.large ? checkLarge(asked, all.answers, all.large, request) : check(asked, all.answers, request)
}

type Asked = { reader: BlockReader; at: OneEndpoint; header: Header; addresses: readonly string[] | undefined }
/** `large` is set if not every log was kept. */
type Answers = { answers: unknown[]; large: LargeLogs | undefined }

async function inOneCall({ reader, at, header, addresses }: Asked): Promise<Answers> {
  const { answer, large } = await askLarge(reader, at, header, ['eth_getBlockReceipts', [header.hash]], addresses)
  return { answers: requireList(requireGiven(answer, 'list of receipts'), 'list of receipts'), large }
}

/**
 * Receipts that arrived before a call failed are kept for the next attempt, without those that were read as a stream: only
 * `large` knows all of their logs.
 */
async function oneByOne(asked: Asked, hashes: readonly string[], known?: LargeLogs): Promise<Answers> {
  const { reader, at, header, addresses } = asked
  const memory = reader.memoryOf(at)
  const small = memory.receiptsOf(header.hash)
  const streamed = new Map<string, unknown>()
  const large = known ?? new LargeLogs(reader, header, addresses)
  const askOne = async (hash: string) => {
    const call = ['eth_getTransactionReceipt', [hash]] satisfies [string, unknown[]]
    const { answer, large: isStreamed } = await askLarge(reader, at, header, call, addresses, large)
    // A receipt that is not there yet is asked for again the next time.
    if (answer !== null) (isStreamed ? streamed : small).set(hash, answer)
  }
  const missing = hashes.filter((hash) => !small.has(hash))
  for (let start = 0; start < missing.length; start += atOnce) {
    await Promise.all(missing.slice(start, start + atOnce).map(askOne))
    // A node that has none of them does not have the block.
    if (small.size + streamed.size === 0) break
  }
  memory.forgetReceiptsOf(header.hash)
  const answers = hashes.map((hash) => small.get(hash) ?? streamed.get(hash) ?? null)
  return { answers, large: known || streamed.size > 0 ? large : undefined }
}

/** Some nodes leave receipts out of a list and give them one by one. */
async function withMissing(asked: Asked, { answers, large }: Answers, request: ReceiptRequest): Promise<Answers> {
  const given = answers.filter((answer) => answer !== null)
  if (request === 'receipt') return { answers: given, large }
  const known = new Set(given.map((answer) => requireRecord(answer, 'receipt').transactionHash))
  const missing = readHashes(asked.header).filter((hash) => !known.has(hash))
  if (missing.length === 0 || asked.reader.memoryOf(asked.at).isRefused('receipt')) return { answers: given, large }
  try {
    const added = await oneByOne(asked, missing, large)
    return { answers: [...given, ...added.answers.filter((answer) => answer !== null)], large: added.large }
  } catch (error) {
    if (error instanceof UpstreamError) return { answers: given, large }
    throw error
  }
}

/** Some chains add receipts that belong to no transaction. Each transaction must have one, unless it did not run. */
function check({ reader, at, header }: Asked, answers: readonly unknown[], request: ReceiptRequest): Receipts {
  const found = ofListed(header, answers.map(readReceipt))
  requireEach(header, found, request)
  const { roots, blooms, verify } = reader
  const { logs } = found
  const knewOtherRules = roots.areOfOtherRules
  const isFilled = fillsBloom(header.logsBloom, logs)
  const isCounted = isFilled && reader.memoryOf(at).numbering.isWhole(logs)
  // The root of a block without receipts is also that of chains that never fill it.
  const isShown = answers.length > 0
  const root = isShown ? roots.compare(header, answers, { mustProve: verify === 'receipts', isCounted }) : silent
  if (roots.areOfOtherRules && !knewOtherRules) reportOtherRules(at)
  if (root.kind === 'proven') return { ...found, isProven: true, checked: 'receipts' }
  if (!isFilled) throw new Doubted('bloom', missingLogs(header, logs.length), found)
  if (root.kind === 'refused') throw new Doubted('root', root.message, found)
  return { ...found, isProven: false, checked: blooms.canCheck(header.logsBloom, logs) ? 'bloom' : 'none' }
}

const silent = { kind: 'silent' } as const

/** The root cannot be computed, because most logs were dropped while the answer was read. */
function checkLarge(
  { header }: Asked,
  answers: readonly unknown[],
  large: LargeLogs,
  request: ReceiptRequest,
): Receipts {
  const found = ofListed(header, answers.map(large.readReceipt))
  requireEach(header, found, request)
  return { ...found, isProven: false, ...large.requireFilled(found) }
}

function requireEach(header: Header, found: Required<Found>, request: ReceiptRequest): void {
  const given = new Set(found.receipts.map(({ transactionHash }) => transactionHash))
  const missing = readHashes(header).filter((hash) => !given.has(hash)).length
  // A list, even an empty one, comes from a node that has the block.
  const hasBlock = request === 'receipts' || given.size > 0
  if (missing === 0 || (hasBlock && isOverLimit(header))) return
  const message = `The node omitted ${missing} receipts of block ${header.number}.`
  throw given.size > 0 ? new Doubted('receipts', message, found) : new NoReceipts(message)
}

/** The node gave no receipt of a block with transactions. It does not have the block yet, and that is no answer. */
export class NoReceipts extends UpstreamError {
  constructor(message: string) {
    super('bad_answer', message)
  }
}

/** A transaction that would exceed the gas limit of the block does not run, and has no receipt on some chains (Cronos). */
function isOverLimit({ fields: { gasUsed, gasLimit } }: Header): boolean {
  return gasUsed !== null && gasLimit !== null && BigInt(gasUsed) > BigInt(gasLimit)
}

/** Some nodes give two receipts of one transaction (Hedera). The one with the index of the transaction counts. */
function ofListed(header: Header, receipts: Receipt[]): Required<Found> {
  const logs = receipts.flatMap((receipt) => receipt.logs)
  const byHash = Map.groupBy(receipts, ({ transactionHash }) => transactionHash)
  if (byHash.size === receipts.length) return { receipts, logs }
  const indexes = readIndexes(header)
  const chosen = [...byHash].flatMap(([hash, same]) => {
    const listed = same.find(({ transactionIndex }) => transactionIndex === indexes.get(hash))
    return listed ?? same.slice(0, 1)
  })
  return { receipts: chosen, logs }
}

function reportOtherRules(at: OneEndpoint): void {
  const what =
    'returns receipts whose root never fits: the chain computes it by other rules, so only the bloom is checked.'
  at.notify('receipts_root_unknown', what, 'warn')
}
