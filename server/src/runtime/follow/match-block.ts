import type { ChainBlock } from '../../engine/sources/block.ts'
import type { ChainItems } from '../../engine/sources/raw-items.ts'
import type { SourceIndex, TriggerMatches } from '../listeners/index.ts'

/** Matches the items of a block with the listeners. It does not await, so the listeners cannot change meanwhile. */
export function matchBlock(block: ChainBlock, items: ChainItems, index: SourceIndex | undefined): TriggerMatches[] {
  if (!index) return []
  const { collector } = index
  // Matches are left over only if matching an earlier block failed.
  collector.take()
  for (const rawItem of items.list(block, index.specs(), (type) => index.hasItems(type)))
    for (const { decoder, proven, narrowed, candidates } of index.lookUp(rawItem)) {
      const item = decoder.itemOf(block, rawItem)
      if (!item) continue
      const { key } = rawItem
      collector.addAll(proven, key, item)
      for (const entry of narrowed) if (entry.passesRest(item)) collector.add(entry, key, item)
      for (const entry of candidates) if (entry.passes(item)) collector.add(entry, key, item)
    }
  return collector.take()
}
