import type { SourceItem } from '../../base/source-item.ts'
import type { ChainBlock, Matcher } from '../block.ts'
import { requireHeader } from './contents.ts'

/** Every block is one item. Its header is read in any case, so it needs no part of the block. */
export function blockMatcher(every = 1): Matcher {
  return { neededParts: [], match: (block) => (block.number % every === 0 ? [blockItem(block)] : []) }
}

export function blockItem(block: ChainBlock): SourceItem {
  const { number, hash, parentHash } = block
  const { timestamp, header } = requireHeader(block)
  return { number, hash, parentHash, timestamp, ...header }
}
