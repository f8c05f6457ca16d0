import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { Connection } from '../connection.ts'
import { readHash, readHeader } from './answers.ts'

/** The highest finalized block; undefined when the node does not report it. */
export async function fetchFinalized(connection: Connection): Promise<number | undefined> {
  try {
    const hash = readHash(await connection.request('chain_getFinalizedHead', []))
    return readHeader(await connection.request('chain_getHeader', [hash])).number
  } catch (error) {
    if (error instanceof UpstreamError) return undefined
    throw error
  }
}
