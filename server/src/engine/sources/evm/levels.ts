import type { LevelBlock } from '../chain.ts'
import type { Connection } from '../connection.ts'
import { RpcError } from '../rpc-pool/index.ts'
import { readHeader } from './blocks/read-answers.ts'

/**
 * The block behind the tag `safe` or `finalized`. Nodes without the tags answer an error or null, and so do chains that have
 * not finalized a block yet.
 */
export async function fetchLevel(connection: Connection, name: 'safe' | 'finalized'): Promise<LevelBlock | undefined> {
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
