/** The trigger index: a raw item → the triggers and subscriptions that it can concern, in constant time. */
import type { ItemIndex, MakeItemIndex } from './indexing.ts'
import type { IndexEntry, RawItem } from './keys.ts'

export { type Fields, type Placed, placeByBound, valueField } from './field.ts'
export { type Indexing, itemIndex, type MakeItemIndex, placeInItem, shapeless } from './indexing.ts'
export type { IndexEntry, MatchKeys, RawItem } from './keys.ts'
export { orderOf, orderOfSigned, orderOfUnsigned, signedOf } from './order.ts'

/** How each type of a chain's raw items is looked up. */
export type ChainIndexing = Readonly<Record<string, MakeItemIndex>>

/**
 * One source's index. It never misses an entry whose keys match and of whose requirements one of each list holds, and
 * gives an entry once.
 */
export type TriggerIndex<T extends IndexEntry> = {
  readonly size: number
  /** An entry with the id of another takes its place. */
  add(entry: T): void
  remove(id: string): void
  /** One group for each decoder of those who are found, each entry in one of them and once. */
  matches(raw: RawItem): readonly Matches<T>[]
}

/**
 * `proven` entries are concerned if the item decodes by their decoder at all: their conditions need no look at it. The
 * `candidates` may yet be refused by decoding and by the early filter.
 */
export type Matches<T extends IndexEntry> = {
  readonly decoder: T['decoder']
  readonly proven: readonly T[]
  readonly candidates: readonly T[]
}

export function makeTriggerIndex<T extends IndexEntry>(indexing: ChainIndexing): TriggerIndex<T> {
  const entries = new Map<string, T>()
  const byType = new Map<string, ItemIndex<T>>()
  for (const [type, make] of Object.entries(indexing)) byType.set(type, make<T>())

  const indexOf = ({ keys }: T) => {
    const index = byType.get(keys.type)
    if (!index) throw new Error(`the chain of the source has no items of ${keys.type}`)
    return index
  }
  const remove = (id: string) => {
    const entry = entries.get(id)
    if (entry) indexOf(entry).remove(entry.keys, entry)
    entries.delete(id)
  }
  return {
    get size() {
      return entries.size
    },
    add(entry) {
      remove(entry.id)
      indexOf(entry).add(entry.keys, entry)
      entries.set(entry.id, entry)
    },
    remove,
    matches: (raw) => byType.get(raw.type)?.matches(raw) ?? [],
  }
}
