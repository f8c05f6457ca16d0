import type { Requirement } from '../conditions/index.ts'
import { type Decimal, readDecimal } from '../decimals.ts'
import type { Bound, Direction } from './bounds.ts'
import { orderOf } from './order.ts'

/** Something in raw items that entries are looked up by: what stands there, as a key or as a number. */
export type Field<Raw> = ValueField<Raw> | BoundField<Raw>
export type ValueField<Raw> = {
  is: 'same'
  read(raw: Raw): string | undefined
  /** How many letters of what is read come before the key. */
  keyFrom: number
}
export type BoundField<Raw> = {
  is: Direction
  /** As a double; undefined when it is no number. */
  read(raw: Raw): number | undefined
  /** Only asked where `read` found a number. */
  readExact(raw: Raw): Decimal
}

/**
 * What one entry wants in a field. An item is found by it exactly when the requirement that it was made of holds in the
 * decoded item. Without a key there is no such item.
 */
export type Placed<Raw> = PlacedValue<Raw> | PlacedBound<Raw>
export type PlacedValue<Raw> = { field: ValueField<Raw>; key: string | undefined }
export type PlacedBound<Raw> = { field: BoundField<Raw>; key: Bound }

/** Fields by their names. All entries share them: a copy for each would not fit a processor's cache. */
export type Fields<Raw> = { values: Map<string, ValueField<Raw>>; bounds: Map<string, BoundField<Raw>> }

export function makeFields<Raw>(): Fields<Raw> {
  return { values: new Map(), bounds: new Map() }
}

export function valueField<Raw>(
  fields: Fields<Raw>,
  name: string,
  read: ValueField<Raw>['read'],
  keyFrom = 0,
): ValueField<Raw> {
  const known = fields.values.get(name)
  if (known) return known
  const field: ValueField<Raw> = { is: 'same', read, keyFrom }
  fields.values.set(name, field)
  return field
}

/** Undefined when the requirement sets no bound. */
export function placeByBound<Raw>(
  fields: Fields<Raw>,
  name: string,
  { is, value }: Requirement,
  readers: Pick<BoundField<Raw>, 'read' | 'readExact'>,
): PlacedBound<Raw> | undefined {
  const [order, exact] = [orderOf(value), readDecimal(value)]
  if (is === 'same' || order === undefined || exact === undefined) return undefined
  const direction = is === 'above' || is === 'atLeast' ? 'atLeast' : 'atMost'
  const known = fields.bounds.get(`${direction} ${name}`)
  const field = known ?? { is: direction, ...readers }
  if (!known) fields.bounds.set(`${direction} ${name}`, field)
  return { field, key: { order, exact, isStrict: is === 'above' || is === 'below' } }
}

export function isValue<Raw>(place: Placed<Raw>): place is PlacedValue<Raw> {
  return place.field.is === 'same'
}
