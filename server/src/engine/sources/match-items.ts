import type { SourceItem } from '../base/source-item.ts'
import type { IndexEntry, Matches, RawItem } from '../match/index.ts'
import type { ChainBlock } from './block.ts'
import type { ChainItems, ItemReader, RawEntry, SpecItems } from './raw-items.ts'

/** A trigger index of one source, with the specs of its entries. */
export type SpecIndex<T extends IndexEntry & { decoder: ItemReader }> = {
  specs(): Iterable<SpecItems>
  /** True if an entry is on raw items of this type. */
  hasItems(type: string): boolean
  lookUp(rawItem: RawItem): readonly Matches<T>[]
}

/** Gets each item with the entries that it may match, and checks their conditions. */
export type HitCollector<T extends IndexEntry> = {
  addHits(hits: Matches<T>, rawItem: RawEntry, item: SourceItem): void
}

/**
 * Finds the items of a block that have the keys of an entry, in the order of the chain. An item is decoded once for all
 * entries that share a decoder. The live loop and try-outs both match blocks with this function.
 */
export function matchItems<T extends IndexEntry & { decoder: ItemReader }>(
  block: ChainBlock,
  items: ChainItems,
  index: SpecIndex<T>,
  collector: HitCollector<T>,
): void {
  for (const rawItem of items.list(block, index.specs(), (type) => index.hasItems(type)))
    for (const hits of index.lookUp(rawItem)) {
      const item = hits.decoder.itemOf(block, rawItem)
      if (item) collector.addHits(hits, rawItem, item)
    }
}
