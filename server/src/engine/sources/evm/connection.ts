import { type BlockRef, type Connection, type ConnectOptions, UpstreamError } from '../../world.ts'
import { openRpcPool } from '../rpc-pool/index.ts'
import { fetchBlock } from './fetch-block.ts'
import { requireBytes, requireRecord } from './quantities.ts'
import { readHeader } from './read-answers.ts'
import { readContract } from './read-contract.ts'
import { checkedRpc, type Rpc } from './rpc.ts'

export function connect(endpoints: readonly string[], options: ConnectOptions): Connection {
  const pool = openRpcPool(endpoints, options)
  const rpc = checkedRpc(pool, endpoints, options)
  return {
    head: () => fetchHead(rpc),
    async block(number, parts) {
      const block = await fetchBlock(rpc, number, parts)
      if (block || (await fetchHead(rpc)).number < number) return block
      return fetchBlock(rpc, number, parts, { mustExist: true })
    },
    async blockOfTransaction(hash, parts) {
      const blockHash = await fetchBlockHash(rpc, hash)
      return blockHash === undefined ? undefined : fetchBlock(rpc, blockHash, parts, { mustExist: true })
    },
    request: (method, params) => pool.request(method, params),
    read(provider, at) {
      if (provider.type === 'evm_read') return readContract(rpc, provider, at)
      throw new UpstreamError('refused', `An EVM source serves no ${provider.type} provider.`)
    },
    close: () => pool.close(),
  }
}

async function fetchHead(rpc: Rpc): Promise<BlockRef> {
  const answer = await rpc.request('eth_getBlockByNumber', ['latest', false], readHeader)
  const { number, hash, timestamp } = readHeader(answer)
  return { number, hash, timestampMs: timestamp * 1000 }
}

/** Undefined while the transaction is in no block. */
async function fetchBlockHash(rpc: Rpc, hash: string): Promise<string | undefined> {
  const answer = await rpc.request('eth_getTransactionByHash', [hash])
  if (answer === null) return undefined
  const { blockHash } = requireRecord(answer, 'transaction')
  return blockHash == null ? undefined : requireBytes(blockHash, 'blockHash of the transaction', 32)
}
