import type { BlockKind } from '../block-items.ts'
import { requireHeader } from './contents.ts'

/** The header is read in any case, so blocks as items need no part of the block. */
export const evmBlocks: BlockKind = {
  type: 'evm_block',
  neededParts: [],
  itemOf(block) {
    const { number, hash, parentHash } = block
    const { timestamp, header } = requireHeader(block)
    return { number, hash, parentHash, timestamp, ...header }
  },
}
