import { readDecimal } from '../base/decimals.ts'
import { parsePath, readPath } from '../base/paths.ts'
import { type Requirement, sameKey } from '../conditions/index.ts'
import { type Fields, makeFields, type Placed, placeByBound, valueField } from './field.ts'
import { type Group, makeFound } from './found.ts'
import type { IndexEntry, MatchKeys, RawItem } from './keys.ts'
import { orderOf } from './order.ts'
import { type Layouts, makePlan } from './plan.ts'
import { addToShelf, collect, type Lookup, makeShelf, type Parts, removeFromShelf } from './shelf.ts'

/** How one type of raw item is looked up. Each chain has one for each type of its items. */
export type Indexing<Keys, Raw> = Lookup<Raw> & {
  partsOf(keys: Keys): Parts
  /** Where the decoded item's value is read from a raw one; undefined when only decoding tells. */
  placeOf(requirement: Requirement, keys: Keys, fields: Fields<Raw>): Placed<Raw> | undefined
}

/** The entries that wait for one type of raw item. */
export type ItemIndex<T extends IndexEntry> = {
  add(keys: MatchKeys, entry: T): void
  remove(keys: MatchKeys, entry: T): void
  matches(raw: RawItem): Group<T>[]
}
export type MakeItemIndex = <T extends IndexEntry>() => ItemIndex<T>

export function itemIndex<Keys extends MatchKeys, Raw extends RawItem>(indexing: Indexing<Keys, Raw>): MakeItemIndex {
  return <T extends IndexEntry>() => makeItemIndex<T, Keys, Raw>(indexing)
}

function makeItemIndex<T extends IndexEntry, Keys extends MatchKeys, Raw extends RawItem>(
  indexing: Indexing<Keys, Raw>,
) {
  const shelf = makeShelf<Raw, T>()
  const fields = makeFields<Raw>()
  const layouts: Layouts<Raw> = new Map()
  const planOf = (keys: Keys, entry: T) =>
    makePlan(entry, (requirement) => indexing.placeOf(requirement, keys, fields), layouts)
  return {
    add(keys: Keys, entry: T): void {
      addToShelf(shelf, indexing.partsOf(keys), planOf(keys, entry), entry)
    },
    remove(keys: Keys, entry: T): void {
      removeFromShelf(shelf, indexing.partsOf(keys), planOf(keys, entry), entry)
    },
    matches(raw: Raw): Group<T>[] {
      const found = makeFound<T>()
      collect(shelf, indexing, raw, found)
      return found.groups
    },
  }
}

/** For keys that ask nothing about the shape of an item. */
export const shapeless = { hasShape: () => true, shapesOf: () => [0] }

/** Reads a requirement's value in the decoded item. `decoder` names what decodes it, where items are decoded in several ways. */
export function placeInItem<Raw>(
  fields: Fields<Raw>,
  requirement: Requirement,
  decoder: string,
  itemOf: (raw: Raw) => unknown,
): Placed<Raw> | undefined {
  const segments = parsePath(requirement.path)
  const name = `${decoder} ${requirement.path}`
  const valueIn = (raw: Raw) => readPath(itemOf(raw), segments)
  if (requirement.is !== 'same')
    return placeByBound(fields, name, requirement, {
      read: (raw) => orderOf(valueIn(raw)),
      readExact: (raw) => readDecimal(valueIn(raw)) ?? { digits: 0n, scale: 0 },
    })
  const read = (raw: Raw) => (itemOf(raw) === undefined ? undefined : sameKey(valueIn(raw)))
  return { field: valueField(fields, name, read), key: sameKey(requirement.value) }
}
