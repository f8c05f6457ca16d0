/** Substrate chains: events and calls decoded by the runtime's own metadata, reads of storage at a block, verification of nodes. */

import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { Chain, LevelBlock } from '../chain.ts'
import type { Connection } from '../connection.ts'
import { readHash, readHeader } from './answers.ts'
import { connect } from './connection.ts'
import { substrateItems } from './raw-items.ts'
import { verify } from './verify.ts'

export { type SubstrateCall, SubstrateContents, type SubstrateEvent } from './contents.ts'
export { foldName } from './names.ts'

export const substrate: Chain = {
  kind: 'substrate',
  connect,
  verify,
  items: substrateItems,
  pace: {
    ...{ replaceable: 256, skipsNumbers: false, laggingBeyond: 20 },
    finalized: async (connection) => (await readLevel(() => fetchFinalized(connection)))?.number,
    level: fetchFinalized,
  },
}

/** Substrate has one level: a finalized block is safe too. */
async function fetchFinalized(connection: Connection): Promise<LevelBlock | undefined> {
  const hash = readHash(await connection.request('chain_getFinalizedHead', []))
  return { number: readHeader(await connection.request('chain_getHeader', [hash])).number, hash }
}

async function readLevel(read: () => Promise<LevelBlock | undefined>): Promise<LevelBlock | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof UpstreamError) return undefined
    throw error
  }
}
