import { readDecimal } from '../base/decimals.ts'
import { parsePath, readPath } from '../base/paths.ts'
import { type Requirement, sameKey, textOf } from '../conditions/index.ts'
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

/** How the index looks up one type of raw item. Each chain defines one for each type of its items. */
export type Indexing<Keys, Raw> = Lookup<Raw> & {
  keyPartsOf(keys: Keys): KeyParts
  /** The field and key that answer a requirement in the raw item; undefined if only the decoded item can answer it. */
  toFieldKey(requirement: Requirement, keys: Keys, fields: Fields<Raw>): FieldKey<Raw> | undefined
}

/** The index of the entries for one type of raw item. */
export type ItemIndex<T extends IndexEntry> = {
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
