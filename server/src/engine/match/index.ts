/**
 * The trigger index. It maps a raw item to the triggers and subscriptions that may match it.
 *
 * A chain gives each entry match keys (such as address and topic) and requirements (conditions that a raw item can answer).
 * An entry is stored under its key parts and one requirement: bucket table → bucket → postings list. A lookup reads the
 * same fields from the raw item and costs one hash probe per bucket, whatever the number of entries. The postings list
 * then filters its rows by the other requirements. The cost grows with the
 * number of rows under the item's keys, not with the number of triggers.
 */

import { readDecimal } from '../base/decimals.ts'
import { parsePath, readPath } from '../base/paths.ts'
import { sameKey, textOf } from '../conditions/comparison.ts'
import type { Requirement } from '../conditions/requirements.ts'
import {
  addToBuckets,
  collectHits,
  type KeyParts,
  type Lookup,
  makeBucketTable,
  removeFromBuckets,
} from './bucket-table.ts'
import { type FieldKey, type Fields, makeBoundKey, makeFields, prefixField, valueField } from './field.ts'
import { type Group, makeHits, takeGroups } from './hits.ts'
import type { IndexEntry, MatchKeys, RawItem } from './keys.ts'
import { orderOf } from './order.ts'
import { type Layouts, makePlan } from './plan.ts'
import type { Certainty } from './postings-list.ts'

export { type FieldKey, type Fields, makeBoundKey, prefixField, valueField } from './field.ts'

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

/** How the index looks up one type of raw item. Each chain defines one for each type of its items. */
export type Indexing<Keys, Raw> = Lookup<Raw> & {
  keyPartsOf(keys: Keys): KeyParts
  /** The field and key that answer a requirement in the raw item; undefined if only the decoded item can answer it. */
  toFieldKey(requirement: Requirement, keys: Keys, fields: Fields<Raw>): FieldKey<Raw> | undefined
}

/** The index of the entries for one type of raw item. */
type ItemIndex<T extends IndexEntry> = {
  readonly size: number
  add(keys: MatchKeys, entry: T): void
  remove(keys: MatchKeys, entry: T): void
  matches(raw: RawItem): readonly Group<T>[]
}
export type MakeItemIndex = <T extends IndexEntry>() => ItemIndex<T>

export function itemIndex<Keys extends MatchKeys, Raw extends RawItem>(indexing: Indexing<Keys, Raw>): MakeItemIndex {
  return <T extends IndexEntry>() => makeItemIndex<T, Keys, Raw>(indexing)
}

function makeItemIndex<T extends IndexEntry, Keys extends MatchKeys, Raw extends RawItem>(
  indexing: Indexing<Keys, Raw>,
) {
  const buckets = makeBucketTable<Raw, T>()
  const fields = makeFields<Raw>()
  const layouts: Layouts<Raw> = new Map()
  const hits = makeHits<T>()
  let size = 0
  const planOf = (keys: Keys, entry: T) =>
    makePlan(entry, (requirement) => indexing.toFieldKey(requirement, keys, fields), layouts)
  return {
    get size() {
      return size
    },
    add(keys: Keys, entry: T): void {
      size++
      addToBuckets(buckets, indexing.keyPartsOf(keys), planOf(keys, entry), entry)
    },
    remove(keys: Keys, entry: T): void {
      size--
      removeFromBuckets(buckets, indexing.keyPartsOf(keys), planOf(keys, entry), entry)
    },
    matches(raw: Raw): readonly Group<T>[] {
      collectHits(buckets, indexing, raw, hits)
      return takeGroups(hits)
    },
  }
}

/** For keys that demand nothing of an item's shape. */
export const shapeless = { hasShape: () => true, shapesOf: () => [0] }

/** Makes a key that reads the decoded item. `decoder` names the decoder if the items of a type have several. */
export function makeItemKey<Raw>(
  fields: Fields<Raw>,
  requirement: Requirement,
  decoder: string,
  itemOf: (raw: Raw) => unknown,
): FieldKey<Raw> | undefined {
  const segments = parsePath(requirement.path)
  const name = `${decoder} ${requirement.path}`
  const valueIn = (raw: Raw) => readPath(itemOf(raw), segments)
  if (requirement.is === 'startsWith')
    return { field: prefixField(fields, name, (raw) => textOf(valueIn(raw))?.toLowerCase()), key: requirement.value }
  if (requirement.is !== 'same')
    return makeBoundKey(fields, name, requirement, {
      read: (raw) => orderOf(valueIn(raw)),
      readExact: (raw) => readDecimal(valueIn(raw)) ?? { digits: 0n, scale: 0 },
    })
  const read = (raw: Raw) => (itemOf(raw) === undefined ? undefined : sameKey(valueIn(raw)))
  return { field: valueField(fields, name, { read }), key: sameKey(requirement.value) }
}
