import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { BlockCheck } from '../../block.ts'
import type { OneEndpoint } from '../../rpc-pool/index.ts'
import type { EvmLog } from '../contents.ts'
import { askLarge } from './ask-large.ts'
import type { BlockReader } from './block-reader.ts'
import { toHex } from './quantities.ts'
import { type Header, readHeader, readLogBlock, readLogs } from './read-answers.ts'

/** The filter of `eth_getLogs`. */
type Filter = { blockHash: string } | Range
type Range = { fromBlock: string; toBlock: string; address?: readonly string[] }
/** `large` is set if the answer was so large that it was checked while it was read. Logs that cannot match are left out. */
export type AskedLogs = { logs: readonly EvmLog[]; large?: { checked: BlockCheck; doubt?: string } }

/** `addresses` are the contracts whose logs are kept if the answer is too large for all. */
export async function askLogs(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  filter: Filter,
  addresses?: readonly string[],
): Promise<AskedLogs> {
  const { answer, large } = await askLarge(reader, at, header, ['eth_getLogs', [filter]], addresses)
  if (large) {
    const logs = large.logsIn(answer)
    return { logs, large: 'address' in filter ? large.result() : large.requireFilled({ logs }) }
  }
  const logs = withoutRepeats(readLogs(answer))
  const isOther = Array.isArray(answer) && answer.some((log) => readLogBlock(log) !== header.hash)
  if (isOther)
    throw new UpstreamError('bad_answer', `The node answered with logs of another block than ${header.number}.`)
  const named = 'address' in filter && filter.address ? new Set(filter.address) : undefined
  if (named && logs.some(({ address }) => !named.has(address)))
    throw new UpstreamError('bad_answer', 'The node answered with logs of contracts that were not asked for.')
  return { logs }
}

/** Some nodes repeat a log. Equal logs of one transaction differ in their index. */
function withoutRepeats(logs: readonly EvmLog[]): readonly EvmLog[] {
  const indexes = new Set(logs.map(({ index, transactionIndex }) => index * 1e6 + transactionIndex))
  if (indexes.size === logs.length) return logs
  const seen = new Set<string>()
  return logs.filter(({ transactionHash, index, address, topics, data }) => {
    const content = [transactionHash, index, address, topics, data].join()
    if (seen.has(content)) return false
    seen.add(content)
    return true
  })
}

/** The filter for the block's number; with `addresses`, only for the logs of these contracts. */
export function rangeOf({ number }: Header, addresses?: readonly string[]): Range {
  const block = toHex(number)
  return { fromBlock: block, toBlock: block, ...(addresses && { address: addresses }) }
}

/**
 * A node that has another block of this number, or none yet, answers with an empty list. If the bloom says that there are logs,
 * the node must show its block and give an empty list again. If the bloom says nothing, `prove-empty.ts` decides.
 */
export async function askByNumber(
  reader: BlockReader,
  at: OneEndpoint,
  header: Header,
  addresses?: readonly string[],
): Promise<AskedLogs> {
  const { blooms } = reader
  const range = rangeOf(header, addresses)
  const asked = await askLogs(reader, at, header, range, addresses)
  if (asked.logs.length > 0 || asked.large) return asked
  if (blooms.exclude(header.logsBloom, addresses) || blooms.areSilent(header.logsBloom)) return asked
  const block = await at.request('eth_getBlockByNumber', [range.fromBlock, false])
  if (block === null || readHeader(block).hash !== header.hash)
    throw new UpstreamError('bad_answer', `The node does not have block ${header.number}, so it returns no logs of it.`)
  return askLogs(reader, at, header, range, addresses)
}
