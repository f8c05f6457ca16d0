import {
  type BlockPart,
  type BlockRef,
  type ChainBlock,
  type ConnectOptions,
  type LiveConnection,
  UpstreamError,
} from '../../world.ts'
import { explaining, preferring } from '../rpc-pool/index.ts'
import { fetchBlock } from './fetch-block.ts'
import { newHeads } from './heads.ts'
import { requireBytes, requireRecord } from './quantities.ts'
import { readHeader } from './read-answers.ts'
import { readContract } from './read-contract.ts'
import { openRpc, type Rpc } from './rpc.ts'

export function connect(endpoints: readonly string[], options: ConnectOptions): LiveConnection {
  const rpc = openRpc(endpoints, options)
  const rpcFor = preferring(rpc, endpoints)
  return {
    head: () => explaining('EVM', () => fetchHead(rpc)),
    block: (number, parts) => explaining('EVM', () => blockAt(rpcFor(number), number, parts)),
    blockOfTransaction: (hash, parts) => explaining('EVM', () => blockOfTransaction(rpc, hash, parts)),
    request: (method, params) => rpc.request(method, params),
    read(provider, at) {
      if (provider.type === 'evm_read') return explaining('EVM', () => readContract(rpc, provider, at))
      throw new UpstreamError('refused', `An EVM source serves no ${provider.type} provider.`)
    },
    heads: (listener, how) => rpc.heads(newHeads, listener, how),
    report: () => rpc.report(),
    close: () => rpc.close(),
  }
}

/** Undefined when the chain is not as long; a node that only lags behind the others is not believed. */
async function blockAt(rpc: Rpc, number: number, parts?: readonly BlockPart[]): Promise<ChainBlock | undefined> {
  const block = await fetchBlock(rpc, number, parts)
  if (block || (await fetchHead(rpc)).number < number) return block
  return fetchBlock(rpc, number, parts, { mustExist: true })
}

async function blockOfTransaction(rpc: Rpc, hash: string, parts?: readonly BlockPart[]) {
  const blockHash = await rpc.ask('eth_getTransactionByHash', [hash], readBlockHash)
  return blockHash === undefined ? undefined : fetchBlock(rpc, blockHash, parts, { mustExist: true })
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
