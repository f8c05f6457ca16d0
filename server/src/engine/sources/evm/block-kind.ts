import type { BlockKind } from '../block-items.ts'
import { requireHeader } from './contents.ts'

/** The header is read in any case. It is named as a part so that a block without its transactions still serves these triggers. */
export const evmBlocks: BlockKind = {
  type: 'evm_block',
  neededParts: ['header'],
  itemOf(block) {
    const { number, hash, parentHash } = block
    const { timestamp, header } = requireHeader(block)
    return { number, hash, parentHash, timestamp, ...header }
  },
}
