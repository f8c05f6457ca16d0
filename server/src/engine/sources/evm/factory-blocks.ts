/** The blocks in which a factory created contracts, read by ranges of logs instead of block by block. */
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockRange, ChainBlock, Factory, FactoryBlocks } from '../block.ts'
import { isEndpointsFault, RpcError } from '../rpc-pool/index.ts'
import { requireBytes, requireList, requireNumber, requireRecord, toHex } from './blocks/quantities.ts'
import { readLogBlock, readLogs } from './blocks/read-answers.ts'
import { EvmContents } from './contents.ts'
import type { Rpc } from './rpc.ts'

/** Endpoints accept ranges of very different lengths, and most say so only in words. */
const [firstSpan, spanMax] = [10_000, 1_000_000]

/**
 * Reads the range in parts that the endpoint accepts: a part that is refused or too large is halved, and the next one after
 * a success is twice as long, up to the length that was refused.
 */
export async function* readFactoryBlocks(
  rpc: Rpc,
  factory: Factory,
  { from, to, isNewestFirst = false }: BlockRange,
): AsyncIterable<FactoryBlocks> {
  let [first, last, span, longest] = [from, to, firstSpan, spanMax]
  while (first <= last) {
    const part = isNewestFirst
      ? { from: Math.max(first, last - span + 1), to: last }
      : { from: first, to: Math.min(last, first + span - 1) }
    try {
      const blocks = await readPart(rpc, factory, part)
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

async function readPart(rpc: Rpc, { contract, topics }: Factory, { from, to }: BlockRange): Promise<ChainBlock[]> {
  const filter = {
    address: contract,
    fromBlock: toHex(from),
    toBlock: toHex(to),
    ...(topics && { topics: [topics] }),
  }
  return rpc.ask('eth_getLogs', [filter], readBlocks)
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

/**
 * The first block after which the contract has code, found in about twenty reads; 0 if the nodes do not have the state of
 * old blocks, or if there is no code now.
 */
export async function findFirstBlock(rpc: Rpc, contract: string, head: number): Promise<number> {
  const hasCode = (number: number) =>
    rpc.ask('eth_getCode', [contract, toHex(number)], (answer) => requireBytes(answer, 'code') !== '0x')
  try {
    let [low, high] = [0, head]
    if (!(await hasCode(high))) return 0
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (await hasCode(middle)) high = middle
      else low = middle + 1
    }
    return low
  } catch (error) {
    if (error instanceof RpcError && !isEndpointsFault(error)) return 0
    throw error
  }
}
