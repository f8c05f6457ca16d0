import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { OneEndpoint } from '../../rpc-pool/index.ts'
import type { EvmLog } from '../contents.ts'
import { readAtOne } from '../rpc.ts'
import type { BlockReader } from './block-reader.ts'
import { requireFilledBloom } from './bloom.ts'
import { type EndpointMemory, type ReceiptRequest, receiptRequests, useFirstServed } from './log-requests.ts'
import { requireGiven, requireList } from './quantities.ts'
import { type Header, type Receipt, readHashes, readReceipt } from './read-answers.ts'

/** `isProven`: the receipts root of the block proves that the receipts are complete and exact. */
export type Receipts = { receipts: Receipt[]; isProven: boolean }

/** Single receipts are requested in groups, so that a large block does not flood its endpoint. */
const atOnce = 10

/** One receipt for each transaction of the block, all from one endpoint, because the root can only be checked with all of them. */
export function fetchReceipts(reader: BlockReader, header: Header): Promise<Receipts> {
  return readAtOne(reader.rpc, 'eth_getBlockReceipts', (at) => readReceiptsAt(reader, at, header))
}

/** In one call if the endpoint supports it, else one by one. */
export async function readReceiptsAt(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  requests: readonly ReceiptRequest[] = receiptRequests,
): Promise<Receipts> {
  const { value } = await useFirstServed(reader.memoryOf(at), requests, (request) =>
    readReceiptsBy(reader, at, header, request),
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
    if (error instanceof UpstreamError && error.kind === 'bad_answer') return undefined
    throw error
  }
}

export function logsIn({ receipts }: Pick<Receipts, 'receipts'>): EvmLog[] {
  return receipts.flatMap(({ logs }) => logs)
}

export async function readReceiptsBy(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  request: ReceiptRequest,
): Promise<Receipts> {
  if (header.transactions.length === 0) return { receipts: [], isProven: true }
  const answers = request === 'receipts' ? await inOneCall(at, header) : await oneByOne(at, reader.memoryOf(at), header)
  return check(reader, at, header, answers)
}

async function inOneCall(at: OneEndpoint, { hash }: Header): Promise<unknown[]> {
  const answer = await at.request('eth_getBlockReceipts', [hash])
  return requireList(requireGiven(answer, 'list of receipts'), 'list of receipts')
}

/** Receipts that arrived before a call failed are kept for the next attempt. */
async function oneByOne(at: OneEndpoint, memory: EndpointMemory, header: Header): Promise<unknown[]> {
  const hashes = readHashes(header)
  const known = memory.receiptsOf(header.hash)
  const missing = hashes.filter((hash) => !known.has(hash))
  for (let start = 0; start < missing.length; start += atOnce)
    await Promise.all(missing.slice(start, start + atOnce).map((hash) => askOne(at, hash, known)))
  memory.forgetReceiptsOf(header.hash)
  return hashes.map((hash) => known.get(hash))
}

async function askOne(at: OneEndpoint, hash: string, known: Map<string, unknown>): Promise<void> {
  known.set(hash, requireGiven(await at.request('eth_getTransactionReceipt', [hash]), 'receipt'))
}

/** Some chains add receipts that belong to no transaction. Each transaction must have one. */
function check(reader: BlockReader, at: OneEndpoint, header: Header, answers: readonly unknown[]): Receipts {
  const receipts = answers.map(readReceipt)
  const given = new Set(receipts.map(({ transactionHash }) => transactionHash))
  const missing = readHashes(header).filter((hash) => !given.has(hash)).length
  if (missing > 0)
    throw new UpstreamError('bad_answer', `The node omitted ${missing} receipts of block ${header.number}.`)
  const logs = receipts.flatMap(({ logs }) => logs)
  requireFilledBloom(header, logs)
  const { roots, verify } = reader
  const knewOtherRules = roots.areOfOtherRules
  const isCounted = reader.memoryOf(at).numbering.isWhole(logs)
  const isProven = roots.prove(header, answers, { mustProve: verify === 'receipts', isCounted })
  if (roots.areOfOtherRules && !knewOtherRules) reportOtherRules(at)
  return { receipts, isProven }
}

function reportOtherRules(at: OneEndpoint): void {
  const what =
    'returns receipts whose root never fits: the chain computes it by other rules, so only the bloom is checked.'
  at.notify('receipts_root_unknown', what, 'warn')
}
