import { type BlockPart, type ChainBlock, UpstreamError } from '../../world.ts'
import { requireFilledBloom } from './bloom.ts'
import { EvmContents, type EvmLog } from './contents.ts'
import { fetchReceipts } from './fetch-receipts.ts'
import { toHex } from './quantities.ts'
import { type Header, type Receipt, readHeader, readLogBlock, readLogs, readTransaction } from './read-answers.ts'
import type { Rpc } from './rpc.ts'

const everything: readonly BlockPart[] = ['logs', 'transactions']

/** A block by number or hash with the parts that are wanted, known to be complete; undefined when there is none. */
export async function fetchBlock(
  rpc: Rpc,
  which: number | string,
  parts: readonly BlockPart[] = everything,
  { mustExist = false } = {},
): Promise<ChainBlock | undefined> {
  const header = await fetchHeader(rpc, which, parts.includes('transactions'), mustExist)
  if (!header) return undefined
  const receipts = parts.includes('transactions') ? await fetchReceipts(rpc, header) : undefined
  const logs = parts.includes('logs') ? await fetchLogs(rpc, header, receipts) : undefined
  return assembleBlock(header, logs, receipts)
}

/** From what nodes answer to what matchers see; also for blocks that come from a file. */
export function assembleBlock(
  header: Header,
  logs: readonly EvmLog[] | undefined,
  receipts: readonly Receipt[] | undefined,
): ChainBlock {
  const statuses = new Map(receipts?.map(({ transactionHash, status }) => [transactionHash, status]))
  const transactions = receipts && header.transactions.map((each) => readTransaction(each, statuses))
  const { number, hash, parentHash, timestamp } = header
  const contents = new EvmContents(timestamp, logs, transactions)
  return { number, hash, parentHash, timestampMs: timestamp * 1000, contents }
}

/** A node that lags behind answers null; `mustExist` when the network is known to have the block. */
function fetchHeader(rpc: Rpc, which: number | string, isFull: boolean, mustExist: boolean) {
  const [method, id] =
    typeof which === 'number' ? ['eth_getBlockByNumber', toHex(which)] : ['eth_getBlockByHash', which]
  return rpc.ask(method, [id, isFull], (answer) => readWanted(answer, which, mustExist))
}

function readWanted(answer: unknown, which: number | string, mustExist: boolean): Header | undefined {
  if (answer !== null) return requireBlock(readHeader(answer), which)
  if (mustExist) throw new UpstreamError('bad_answer', `The node does not give block ${which}, which exists.`)
  return undefined
}

function requireBlock(header: Header, which: number | string): Header {
  if (which === header.number || which === header.hash) return header
  throw new UpstreamError('bad_answer', `The node answered with block ${header.number} when asked for ${which}.`)
}

/** Receipts hold the logs too, so that one answer serves both. */
async function fetchLogs(rpc: Rpc, header: Header, receipts: readonly Receipt[] | undefined): Promise<EvmLog[]> {
  if (receipts) return receipts.flatMap(({ logs }) => logs)
  if (header.transactions.length === 0 && /^0x0*$/.test(header.logsBloom)) return []
  const filter = { blockHash: header.hash }
  return rpc.ask('eth_getLogs', [filter], (answer) => readAllLogs(header, answer))
}

function readAllLogs(header: Header, answer: unknown): EvmLog[] {
  const logs = readLogs(answer)
  const isOther = Array.isArray(answer) && answer.some((log) => readLogBlock(log) !== header.hash)
  if (isOther)
    throw new UpstreamError('bad_answer', `The node answered with logs of another block than ${header.number}.`)
  requireFilledBloom(header, logs)
  return logs
}
