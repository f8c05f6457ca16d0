import type { ChainBlock } from '../../engine/sources/block.ts'
import { matchItems } from '../../engine/sources/match-items.ts'
import type { ChainItems } from '../../engine/sources/raw-items.ts'
import type { TriggerMatches } from '../listeners/match-collector.ts'
import type { SourceIndex } from '../listeners/source-index.ts'

/** Matches the items of a block with the listeners. It does not await, so the listeners cannot change meanwhile. */
export function matchBlock(block: ChainBlock, items: ChainItems, index: SourceIndex | undefined): TriggerMatches[] {
  if (!index) return []
  const { collector } = index
  // Matches are left over only if matching an earlier block failed.
  collector.take()
  matchItems(block, items, index, collector)
  return collector.take()
}
