import { UpstreamError } from '../../world.ts'
import { requireFilledBloom } from './bloom.ts'
import { requireBytes, requireList, requireRecord } from './quantities.ts'
import { type Header, type Receipt, readReceipt } from './read-answers.ts'
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
    const accept = (answer: unknown) => requireAllReceipts(header, readReceipts(answer))
    return readReceipts(await rpc.request('eth_getBlockReceipts', [header.hash], accept))
  } catch (error) {
    if (!isUnknownMethod(error)) throw error
    withoutBlockReceipts.add(rpc)
    return fetchOneByOne(rpc, header)
  }
}

async function fetchOneByOne(rpc: Rpc, header: Header): Promise<Receipt[]> {
  const hashes = hashesOf(header)
  const receipts: Receipt[] = []
  for (let start = 0; start < hashes.length; start += atOnce) {
    const group = hashes.slice(start, start + atOnce)
    receipts.push(...(await Promise.all(group.map((hash) => fetchReceipt(rpc, hash)))))
  }
  requireAllReceipts(header, receipts)
  return receipts
}

async function fetchReceipt(rpc: Rpc, hash: string): Promise<Receipt> {
  return readReceipt(await rpc.request('eth_getTransactionReceipt', [hash], readReceipt))
}

function readReceipts(answer: unknown): Receipt[] {
  return requireList(answer, 'list of receipts').map(readReceipt)
}

/** Some chains add receipts of their own that belong to no transaction; each transaction must have one. */
function requireAllReceipts(header: Header, receipts: readonly Receipt[]): void {
  const given = new Set(receipts.map(({ transactionHash }) => transactionHash))
  const missing = hashesOf(header).filter((hash) => !given.has(hash)).length
  if (missing > 0)
    throw new UpstreamError('bad_answer', `The node left out ${missing} receipts of block ${header.number}.`)
  requireFilledBloom(
    header,
    receipts.flatMap(({ logs }) => logs),
  )
}

function hashesOf(header: Header): string[] {
  return header.transactions.map((each) => requireBytes(requireRecord(each, 'transaction').hash, 'hash', 32))
}
