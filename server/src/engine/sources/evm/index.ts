/** EVM chains: checked blocks; logs, transactions, calls and blocks as items; reads of contracts, verification of nodes. */

import type { Chain, LevelBlock } from '../chain.ts'
import type { Connection } from '../connection.ts'
import { RpcError } from '../rpc-pool/index.ts'
import { readHeader } from './blocks/read-answers.ts'
import { connect } from './connection.ts'
import { evmItems } from './raw-items.ts'
import { verify } from './verify.ts'

export { EvmContents, type EvmLog, type EvmTransaction } from './contents.ts'

export const evm: Chain = {
  kind: 'evm',
  connect,
  verify,
  items: evmItems,
  pace: { replaceable: 64, level: fetchLevel, skipsNumbers: false, laggingBeyond: 20 },
}

/**
 * The block behind the tag `safe` or `finalized`. Nodes without the tags answer an error or null, and so do chains that have
 * not finalized a block yet.
 */
async function fetchLevel(connection: Connection, name: 'safe' | 'finalized'): Promise<LevelBlock | undefined> {
  try {
    const answer = await connection.request('eth_getBlockByNumber', [name, false])
    if (answer === null) return undefined
    const { number, hash } = readHeader(answer)
    return { number, hash }
  } catch (error) {
    if (error instanceof RpcError) return undefined
    throw error
  }
}
