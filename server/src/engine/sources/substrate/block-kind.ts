import type { BlockKind } from '../block-items.ts'
import { requireContents } from './contents.ts'

/** The header is read in any case. The author needs one more read, which is the part `author`. */
export const substrateBlocks: BlockKind = {
  type: 'substrate_block',
  neededParts: ['author'],
  itemOf(block) {
    const { number, hash, parentHash, timestampMs } = block
    return { number, hash, parentHash, timestamp: timestampMs ?? null, ...requireContents(block).header }
  },
}
