import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { BlockRef } from '../block.ts'
import { isHash, readExtrinsics, readHash } from './answers.ts'
import { loadLibrary } from './library.ts'
import { isForgotten, type Rpc } from './rpc.ts'

/** How many blocks are searched: a few minutes of the chain, a few seconds of calls. */
const blocksMax = 32

/**
 * The hash of the block that contains an extrinsic. Nodes have no index of extrinsics, so the latest blocks are searched. A
 * block hash is accepted too, because it has the same format.
 */
export async function findExtrinsic(rpc: Rpc, wanted: string): Promise<string> {
  const hash = wanted.toLowerCase()
  if (!isHash(hash)) throw new UpstreamError('refused', 'An extrinsic hash is 0x and 64 hex digits.')
  if (await isBlock(rpc, hash)) return hash
  const { hashers } = await loadLibrary()
  const hashOf = (extrinsic: string) => toHex(hashers.Blake2256(Buffer.from(extrinsic.slice(2), 'hex')))
  let at: BlockRef['hash'] = await rpc.ask('chain_getBlockHash', [], readHash)
  for (let searched = 0; searched < blocksMax; searched += 1) {
    const block = await blockAt(rpc, at)
    if (!block) break
    if (block.extrinsics.some((extrinsic) => hashOf(extrinsic) === hash)) return at
    at = block.parentHash
  }
  const advice = 'Substrate nodes cannot look extrinsics up by hash: give the number of its block instead.'
  throw new UpstreamError('refused', `The extrinsic is not in the latest ${blocksMax} blocks. ${advice}`)
}

async function isBlock(rpc: Rpc, hash: string): Promise<boolean> {
  return (await blockAt(rpc, hash)) !== undefined
}

/** Undefined before the first block, and for a hash that is not a block's. */
async function blockAt(rpc: Rpc, hash: string) {
  try {
    return await rpc.ask('chain_getBlock', [hash], (answer) => (answer === null ? undefined : readExtrinsics(answer)))
  } catch (error) {
    if (isForgotten(error)) return undefined
    throw error
  }
}

function toHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`
}
