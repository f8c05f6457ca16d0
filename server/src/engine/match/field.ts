import { type Decimal, readDecimal } from '../base/decimals.ts'
import type { Requirement } from '../conditions/index.ts'
import { fingerprintOf } from './fingerprint.ts'
import { orderOf } from './order.ts'

/** A bound as a double, which decides all but ties, and exactly. A strict one is not met by its own value. */
export type Bound = { order: number; exact: Decimal; isStrict: boolean }
export type Direction = 'atLeast' | 'atMost'

/** Something in raw items that entries are looked up by: what stands there, as a key or as a number. */
export type Field<Raw> = ValueField<Raw> | BoundField<Raw>

/** What was read last is kept: an item is asked for the same field in several places, one after the other. */
export class ValueField<Raw> {
  readonly is = 'same'
  readonly name: string
  /** How many letters of what is read come before the key. */
  readonly keyFrom: number
  /** Of what was read last. */
  print = 0
  readonly #read: (raw: Raw) => string | undefined
  #raw: Raw | undefined
  #text: string | undefined

  constructor(name: string, read: (raw: Raw) => string | undefined, keyFrom: number) {
    this.name = name
    this.#read = read
    this.keyFrom = keyFrom
  }

  read(raw: Raw): string | undefined {
    if (raw === this.#raw) return this.#text
    this.#raw = raw
    this.#text = this.#read(raw)
    if (this.#text !== undefined) this.print = fingerprintOf(this.#text, this.keyFrom)
    return this.#text
  }
}

export type NumberReaders<Raw> = {
  /** As a double; undefined when it is no number. */
  read(raw: Raw): number | undefined
  /** Only asked where `read` found a number. */
  readExact(raw: Raw): Decimal
}

export class BoundField<Raw> {
  readonly is: Direction
  readonly name: string
  readonly #readers: NumberReaders<Raw>
  #raw: Raw | undefined
  #order: number | undefined

  constructor(name: string, is: Direction, readers: NumberReaders<Raw>) {
    this.name = name
    this.is = is
    this.#readers = readers
  }

  read(raw: Raw): number | undefined {
    if (raw === this.#raw) return this.#order
    this.#raw = raw
    this.#order = this.#readers.read(raw)
    return this.#order
  }

  readExact(raw: Raw): Decimal {
    return this.#readers.readExact(raw)
  }
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
  { values }: Fields<Raw>,
  name: string,
  read: (raw: Raw) => string | undefined,
  keyFrom = 0,
): ValueField<Raw> {
  const known = values.get(name)
  if (known) return known
  const field = new ValueField(name, read, keyFrom)
  values.set(name, field)
  return field
}

/** Undefined when the requirement sets no bound. */
export function placeByBound<Raw>(
  { bounds }: Fields<Raw>,
  name: string,
  { is, value }: Requirement,
  readers: NumberReaders<Raw>,
): PlacedBound<Raw> | undefined {
  const [order, exact] = [orderOf(value), readDecimal(value)]
  if (is === 'same' || order === undefined || exact === undefined) return undefined
  const direction = is === 'above' || is === 'atLeast' ? 'atLeast' : 'atMost'
  const full = `${direction} ${name}`
  const field = bounds.get(full) ?? new BoundField(full, direction, readers)
  bounds.set(full, field)
  return { field, key: { order, exact, isStrict: is === 'above' || is === 'below' } }
}

export function isValue<Raw>(place: Placed<Raw>): place is PlacedValue<Raw> {
  return place.field.is === 'same'
}
