/**
 * The trigger index. It maps a raw item to the triggers and subscriptions that may match it.
 *
 * A chain gives each entry match keys (such as address and topic) and requirements (conditions that a raw item can answer).
 * An entry is stored under its key parts and one requirement: bucket table → bucket → postings list. A lookup reads the
 * same fields from the raw item and costs one hash probe per bucket, whatever the number of entries. The postings list
 * then filters its rows by the other requirements. The cost grows with the
 * number of rows under the item's keys, not with the number of triggers.
 */
import type { ItemIndex, MakeItemIndex } from './indexing.ts'
import type { IndexEntry, RawItem } from './keys.ts'
import type { Certainty } from './postings-list.ts'

export { type FieldKey, type Fields, makeBoundKey, prefixField, valueField } from './field.ts'
export { type Indexing, itemIndex, type MakeItemIndex, makeItemKey, shapeless } from './indexing.ts'
export type { IndexEntry, MatchKeys, RawItem } from './keys.ts'
export { orderOf, orderOfSigned, orderOfUnsigned, signedAt, unsignedAt } from './order.ts'

/** How the index looks up each type of a chain's raw items. */
export type ChainIndexing = Readonly<Record<string, MakeItemIndex>>

/**
 * One source's index. A lookup returns every entry whose keys match and whose requirement lists each have one requirement
 * that holds. It returns an entry at most once.
 */
export type TriggerIndex<T extends IndexEntry> = {
  readonly size: number
  /** Replaces the entry that has the same id. */
  add(entry: T): void
  remove(id: string): void
  /** True if an entry is on raw items of this type. */
  hasEntries(type: string): boolean
  /** Groups the hits by decoder. Each entry is in one group, once. */
  matches(raw: RawItem): readonly Matches<T>[]
}

/**
 * A `proven` entry matches as soon as its decoder can decode the item: its conditions need no further check. A `narrowed`
 * entry meets its requirements, so only the rest of its conditions must be checked on the decoded item. Of `candidates` all
 * conditions must be checked.
 */
export type Matches<T extends IndexEntry> = { readonly decoder: T['decoder'] } & {
  readonly [certainty in Certainty]: readonly T[]
}

export function makeTriggerIndex<T extends IndexEntry>(indexing: ChainIndexing): TriggerIndex<T> {
  const entries = new Map<string, T>()
  const byType = new Map<string, ItemIndex<T>>()
  for (const [type, make] of Object.entries(indexing)) byType.set(type, make<T>())

  /** An unknown type is an error: an empty result would hide every match of its items. */
  const indexOf = (type: string) => {
    const index = byType.get(type)
    if (!index) throw new Error(`the source's chain has no items of type ${type}`)
    return index
  }
  /** The items of a block come type by type, so most lookups use the same index as the one before. */
  let [lastType, lastIndex]: [string?, ItemIndex<T>?] = []
  const indexOfItem = (type: string) => {
    if (type === lastType && lastIndex) return lastIndex
    lastIndex = indexOf(type)
    lastType = type
    return lastIndex
  }
  const remove = (id: string) => {
    const entry = entries.get(id)
    if (entry) indexOf(entry.keys.type).remove(entry.keys, entry)
    entries.delete(id)
  }
  return {
    get size() {
      return entries.size
    },
    add(entry) {
      remove(entry.id)
      indexOf(entry.keys.type).add(entry.keys, entry)
      entries.set(entry.id, entry)
    },
    remove,
    hasEntries: (type) => (byType.get(type)?.size ?? 0) > 0,
    matches: (raw) => indexOfItem(raw.type).matches(raw),
  }
}
