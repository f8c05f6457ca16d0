import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { OneEndpoint } from '../../rpc-pool/index.ts'
import type { EvmLog } from '../contents.ts'
import type { BlockReader } from './block-reader.ts'
import { toHex } from './quantities.ts'
import { type Header, readHeader, readLogBlock, readLogs } from './read-answers.ts'

/** The filter of `eth_getLogs`. */
type Filter = { blockHash: string } | Range
type Range = { fromBlock: string; toBlock: string; address?: readonly string[] }

export async function askLogs(at: OneEndpoint, header: Header, filter: Filter): Promise<EvmLog[]> {
  const answer = await at.request('eth_getLogs', [filter])
  const logs = readLogs(answer)
  const isOther = Array.isArray(answer) && answer.some((log) => readLogBlock(log) !== header.hash)
  if (isOther)
    throw new UpstreamError('bad_answer', `The node answered with logs of another block than ${header.number}.`)
  const named = 'address' in filter && filter.address ? new Set(filter.address) : undefined
  if (named && logs.some(({ address }) => !named.has(address)))
    throw new UpstreamError('bad_answer', 'The node answered with logs of contracts that were not asked for.')
  return logs
}

/** The filter for the block's number; with `addresses`, only for the logs of these contracts. */
export function rangeOf({ number }: Header, addresses?: readonly string[]): Range {
  const block = toHex(number)
  return { fromBlock: block, toBlock: block, ...(addresses && { address: addresses }) }
}

/**
 * A node that has another block of this number, or none yet, answers with an empty list. So an empty list counts only if
 * the bloom agrees, or if the node shows its block and then gives an empty list again.
 */
export async function askByNumber(
  { blooms }: BlockReader,
  at: OneEndpoint,
  header: Header,
  addresses?: readonly string[],
): Promise<EvmLog[]> {
  const range = rangeOf(header, addresses)
  const logs = await askLogs(at, header, range)
  if (blooms.exclude(header.logsBloom, addresses) || logs.length > 0) return logs
  const block = await at.request('eth_getBlockByNumber', [range.fromBlock, false])
  if (block === null || readHeader(block).hash !== header.hash)
    throw new UpstreamError('bad_answer', `The node does not have block ${header.number}, so it returns no logs of it.`)
  return askLogs(at, header, range)
}
