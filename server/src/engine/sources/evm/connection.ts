import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockPart, BlockRange, BlockRef, ChainBlock, Factory, FactoryBlocks } from '../block.ts'
import type { ConnectOptions, LiveConnection } from '../connection.ts'
import {
  type HeadSubscription,
  isEndpointsFault,
  preferAnnouncer,
  RpcError,
  requireNodeKind,
} from '../rpc-pool/index.ts'
import { type BlockReader, makeBlockReader } from './blocks/block-reader.ts'
import { type FetchOptions, fetchBlock } from './blocks/fetch-block.ts'
import { requireBytes, requireList, requireNumber, requireRecord, toHex } from './blocks/quantities.ts'
import { readHeader, readLogBlock, readLogs } from './blocks/read-answers.ts'
import { EvmContents } from './contents.ts'
import { explainFailure } from './explain-failure.ts'
import { readContract } from './read-contract.ts'
import { readPrice } from './read-price.ts'
import { readToken } from './read-token.ts'
import { openRpc, type Rpc } from './rpc.ts'

export function connect(endpoints: readonly string[], options: ConnectOptions): LiveConnection {
  const rpc = openRpc(endpoints, options)
  const rpcFor = preferAnnouncer(rpc, endpoints)
  const reader = makeBlockReader(rpc, endpoints, options)
  const readerFor = (number: number): BlockReader => ({ ...reader, rpc: rpcFor(number) })
  return {
    async head() {
      const head = await requireNodeKind('EVM', () => fetchHead(rpc))
      reader.doubts.logs.see(head.number)
      return head
    },
    block: (number, parts, how) => requireNodeKind('EVM', () => blockAt(readerFor(number), number, parts, how)),
    headerFrom: (number) => requireNodeKind('EVM', () => fetchHeader(rpcFor(number), number)),
    blockOfTransaction: (hash, parts, how) =>
      requireNodeKind('EVM', () => blockOfTransaction(reader, hash, parts, how)),
    request: (method, params) => rpc.request(method, params),
    factoryBlocks: (factory, range) => readFactoryBlocks(rpc, factory, range),
    firstBlockOf: (contract, head) => findFirstBlock(rpc, contract, head),
    read(provider, at) {
      if (provider.type === 'evm_read') return requireNodeKind('EVM', () => readContract(rpc, provider, at))
      if (provider.type === 'token_metadata') return requireNodeKind('EVM', () => readToken(rpc, provider, at))
      if (provider.type === 'price') return requireNodeKind('EVM', () => readPrice(rpc, provider, at))
      throw new UpstreamError('refused', `An EVM source serves no ${provider.type} provider.`)
    },
    explainFailure: (item, fragment) => explainFailure(rpc, item, fragment),
    heads: (listener, how) => rpc.heads(newHeads, listener, how),
    report: () => rpc.report(),
    close: () => rpc.close(),
  }
}

/** Undefined when the chain is shorter. The answer of a node that only lags behind is not accepted. */
async function blockAt(
  reader: BlockReader,
  number: number,
  parts: readonly BlockPart[] | undefined,
  how: FetchOptions | undefined,
): Promise<ChainBlock | undefined> {
  const block = await fetchBlock(reader, number, parts, how)
  if (block || (await fetchHead(reader.rpc)).number < number) return block
  return fetchBlock(reader, number, parts, { ...how, mustExist: true })
}

async function blockOfTransaction(
  reader: BlockReader,
  hash: string,
  parts: readonly BlockPart[] | undefined,
  how: FetchOptions | undefined,
): Promise<ChainBlock | undefined> {
  const blockHash = await reader.rpc.ask('eth_getTransactionByHash', [hash], readBlockHash)
  return blockHash === undefined ? undefined : fetchBlock(reader, blockHash, parts, { ...how, mustExist: true })
}

function fetchHead(rpc: Rpc): Promise<BlockRef> {
  return rpc.ask('eth_getBlockByNumber', ['latest', false], readHead)
}

/** Undefined when the chain is shorter. The answer of a node that only lags behind is not accepted. */
async function fetchHeader(rpc: Rpc, number: number): Promise<BlockRef | undefined> {
  const ask = (read: (answer: unknown) => BlockRef | undefined) =>
    rpc.ask('eth_getBlockByNumber', [toHex(number), false], read)
  const header = await ask((answer) => (answer === null ? undefined : readHead(answer)))
  return header || (await fetchHead(rpc)).number < number ? header : ask(readHead)
}

function readHead(answer: unknown): BlockRef {
  const { number, hash, timestamp } = readHeader(answer)
  return { number, hash, timestampMs: timestamp * 1000 }
}

/** Undefined while the transaction is in no block. */
function readBlockHash(answer: unknown): string | undefined {
  if (answer === null) return undefined
  const { blockHash } = requireRecord(answer, 'transaction')
  return blockHash == null ? undefined : requireBytes(blockHash, 'blockHash of the transaction', 32)
}

/** The headers that nodes push. Some chains omit fields, so this reads only what is needed. */
const newHeads: HeadSubscription = {
  method: 'eth_subscribe',
  params: ['newHeads'],
  unsubscribe: 'eth_unsubscribe',
  read(notice) {
    const { number, hash, parentHash } = requireRecord(notice, 'head')
    return {
      number: requireNumber(number, 'number of the head'),
      hash: requireBytes(hash, 'hash of the head', 32),
      parentHash: requireBytes(parentHash, 'parentHash of the head', 32),
    }
  },
}

/** The blocks in which a factory created contracts, read by ranges of logs instead of block by block. */
/** Endpoints accept ranges of very different lengths, and most say so only in words. */
const [firstSpan, spanMax] = [10_000, 1_000_000]

/**
 * Reads the range in parts that the endpoint accepts: a part that is refused or too large is halved, and the next one after
 * a success is twice as long, up to the length that was refused.
 */
async function* readFactoryBlocks(
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
async function findFirstBlock(rpc: Rpc, contract: string, head: number): Promise<number> {
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
