import { UpstreamError } from '../../world.ts'
import { requireFilledBloom } from './bloom.ts'
import { requireBytes, requireList, requireRecord } from './quantities.ts'
import { type Header, type Receipt, readReceipt } from './read-answers.ts'
import { requireReceiptsRoot } from './receipts-root.ts'
import { isUnknownMethod, type Rpc } from './rpc.ts'

/** Receipts one by one are asked for in groups, so that a large block does not flood its endpoint. */
const atOnce = 10

/** The nodes that are known to have no `eth_getBlockReceipts`: asked once, then spared. */
const withoutBlockReceipts = new WeakSet<Rpc>()

/** A receipt for each transaction of the block: in one call where the node can, else one by one. */
export async function fetchReceipts(rpc: Rpc, header: Header): Promise<Receipt[]> {
  if (header.transactions.length === 0) return []
  if (withoutBlockReceipts.has(rpc)) return fetchOneByOne(rpc, header)
  try {
    const read = (answer: unknown) => readAllReceipts(header, requireList(answer, 'list of receipts'))
    return await rpc.ask('eth_getBlockReceipts', [header.hash], read)
  } catch (error) {
    if (!isUnknownMethod(error)) throw error
    withoutBlockReceipts.add(rpc)
    return fetchOneByOne(rpc, header)
  }
}

/** Which of them is wrong shows only when all are there, so it is all of them that are asked for elsewhere. */
async function fetchOneByOne(rpc: Rpc, header: Header): Promise<Receipt[]> {
  const endpoints = rpc.report().map((_, place) => place)
  let first: UpstreamError | undefined
  for (const prefer of endpoints.length > 1 ? [undefined, ...endpoints] : [undefined]) {
    const receipts = await fetchEach(rpc, hashesOf(header), prefer)
    try {
      return readAllReceipts(header, receipts)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      first ??= error
    }
  }
  throw first
}

async function fetchEach(rpc: Rpc, hashes: readonly string[], prefer: number | undefined): Promise<unknown[]> {
  const receipts: unknown[] = []
  for (let start = 0; start < hashes.length; start += atOnce) {
    const group = hashes.slice(start, start + atOnce)
    receipts.push(...(await Promise.all(group.map((hash) => fetchReceipt(rpc, hash, prefer)))))
  }
  return receipts
}

function fetchReceipt(rpc: Rpc, hash: string, prefer: number | undefined): Promise<unknown> {
  return rpc.ask('eth_getTransactionReceipt', [hash], (answer) => readReceipt(answer) && answer, { prefer })
}

/** Some chains add receipts of their own that belong to no transaction; each transaction must have one. */
function readAllReceipts(header: Header, answers: readonly unknown[]): Receipt[] {
  const receipts = answers.map(readReceipt)
  const given = new Set(receipts.map(({ transactionHash }) => transactionHash))
  const missing = hashesOf(header).filter((hash) => !given.has(hash)).length
  if (missing > 0)
    throw new UpstreamError('bad_answer', `The node left out ${missing} receipts of block ${header.number}.`)
  requireFilledBloom(
    header,
    receipts.flatMap(({ logs }) => logs),
  )
  requireReceiptsRoot(header, answers)
  return receipts
}

function hashesOf(header: Header): string[] {
  return header.transactions.map((each) => requireBytes(requireRecord(each, 'transaction').hash, 'hash', 32))
}
