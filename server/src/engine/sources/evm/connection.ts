import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockPart, BlockRef, ChainBlock } from '../block.ts'
import type { ConnectOptions, LiveConnection } from '../connection.ts'
import { preferAnnouncer, requireNodeKind } from '../rpc-pool/index.ts'
import { type BlockReader, makeBlockReader } from './blocks/block-reader.ts'
import { type FetchOptions, fetchBlock } from './blocks/fetch-block.ts'
import { requireBytes, requireRecord } from './blocks/quantities.ts'
import { readHeader } from './blocks/read-answers.ts'
import { findFirstBlock, readFactoryBlocks } from './factory-blocks.ts'
import { newHeads } from './heads.ts'
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
