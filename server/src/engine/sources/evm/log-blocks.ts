import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockRange, ChainBlock, LogBlocks, LogFilter } from '../block.ts'
import { isEndpointsFault, type OneEndpoint, RpcError } from '../rpc-pool/index.ts'
import { requireList, requireNumber, requireRecord, toHex } from './blocks/quantities.ts'
import { readLogBlock, readLogs } from './blocks/read-answers.ts'
import { EvmContents } from './contents.ts'
import type { Rpc } from './rpc.ts'

/** Endpoints accept ranges of very different lengths, and most say so only in words. */
const [firstSpan, spanMax] = [10_000, 1_000_000]

/**
 * Reads the logs of a range, instead of block by block, in parts that the endpoint accepts: a part that is refused or too
 * large is halved, and the next one after a success is twice as long, up to the length that was refused.
 */
export async function* readLogBlocks(
  rpc: Rpc,
  filter: LogFilter,
  { from, to, isNewestFirst = false }: BlockRange,
): AsyncIterable<LogBlocks> {
  let [first, last, span, longest] = [from, to, firstSpan, spanMax]
  while (first <= last) {
    const part = isNewestFirst
      ? { from: Math.max(first, last - span + 1), to: last }
      : { from: first, to: Math.min(last, first + span - 1) }
    try {
      const blocks = await readPart(rpc, filter, part)
      if (isNewestFirst) last = part.from - 1
      else first = part.to + 1
      span = Math.min(longest, span * 2)
      yield { ...part, blocks }
    } catch (error) {
      if (!isTooMuch(error) || part.from === part.to) throw error
      span = Math.ceil((part.to - part.from + 1) / 2)
      longest = span
    }
  }
}

/** A limit of calls is no reason to ask for less. */
function isTooMuch(error: unknown): boolean {
  if (error instanceof RpcError) return !isEndpointsFault(error)
  return error instanceof UpstreamError && (error.kind === 'too_large' || error.kind === 'timeout')
}

/** An endpoint that does not have the last block yet answers with the logs of the blocks that it has, as if that were all. */
async function readPart(rpc: Rpc, { addresses, topics }: LogFilter, { from, to }: BlockRange): Promise<ChainBlock[]> {
  const filter = {
    fromBlock: toHex(from),
    toBlock: toHex(to),
    ...(addresses && { address: addresses.length === 1 ? addresses[0] : addresses }),
    ...(topics && { topics: [topics] }),
  }
  const read = async (at: OneEndpoint) => {
    if ((await at.request('eth_getBlockByNumber', [toHex(to), false])) === null)
      throw new UpstreamError('bad_answer', `${at.host} does not have block ${to} yet.`)
    return readBlocks(await at.request('eth_getLogs', [filter]))
  }
  return rpc.atOne(read, { method: 'eth_getLogs' })
}

/** Blocks that have only these logs. */
function readBlocks(answer: unknown): ChainBlock[] {
  const logs = readLogs(answer)
  const places = requireList(answer, 'list of logs').map((log) => ({
    number: requireNumber(requireRecord(log, 'log').blockNumber, 'blockNumber of a log'),
    hash: readLogBlock(log),
  }))
  const byHash = Map.groupBy(logs.keys(), (at) => places[at]?.hash ?? '')
  return [...byHash].map(([hash, indexes]) => ({
    number: places[indexes[0] ?? 0]?.number ?? 0,
    hash,
    parentHash: '',
    contents: new EvmContents(0, { logs: indexes.flatMap((at) => logs[at] ?? []) }),
  }))
}
