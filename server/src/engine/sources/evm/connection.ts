import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockPart, BlockRef, ChainBlock } from '../block.ts'
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
import { requireBytes, requireNumber, requireRecord, toHex } from './blocks/quantities.ts'
import { readHeader } from './blocks/read-answers.ts'
import { explainFailure } from './explain-failure.ts'
import { makeLogSearch } from './find-log.ts'
import { readLogBlocks } from './log-blocks.ts'
import { readContract } from './read-contract.ts'
import { readPrice } from './read-price.ts'
import { readToken } from './read-token.ts'
import { openRpc, type Rpc } from './rpc.ts'

export function connect(endpoints: readonly string[], options: ConnectOptions): LiveConnection {
  const rpc = openRpc(endpoints, options)
  const rpcFor = preferAnnouncer(rpc, endpoints)
  const reader = makeBlockReader(rpc, endpoints, options)
  const readerFor = (number: number): BlockReader => ({ ...reader, rpc: rpcFor(number) })
  const blocks = {
    async head() {
      const head = await requireNodeKind('EVM', () => fetchHead(rpc))
      reader.doubts.logs.see(head.number)
      return head
    },
    block: (number, parts, how) => requireNodeKind('EVM', () => blockAt(readerFor(number), number, parts, how)),
    headerFrom: (number) => requireNodeKind('EVM', () => fetchHeader(rpcFor(number), number)),
    logBlocks: (filter, range) => readLogBlocks(rpc, filter, range),
  } satisfies Partial<LiveConnection>
  return {
    ...blocks,
    findLog: makeLogSearch(blocks),
    blockOfTransaction: (hash, parts, how) =>
      requireNodeKind('EVM', () => blockOfTransaction(reader, hash, parts, how)),
    request: (method, params) => rpc.request(method, params),
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
