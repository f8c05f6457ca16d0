import { type Decimal, readDecimal } from '../base/decimals.ts'
import type { Requirement } from '../conditions/requirements.ts'
import { fingerprintOf } from './fingerprint.ts'
import { orderOf } from './order.ts'
import { PrefixField } from './prefix-field.ts'

/** A bound as a double and as an exact decimal, which decides when the doubles are equal. A strict bound excludes its own value. */
export type Bound = { order: number; exact: Decimal; isStrict: boolean }
export type Direction = 'atLeast' | 'atMost'

/** A value of raw items that the index looks entries up by: a text key, the beginning of a text, or a number. */
export type Field<Raw> = ValueField<Raw> | PrefixField<Raw> | BoundField<Raw>

/** How a field reads the text that contains its value. */
export type TextReader<Raw> = {
  read(raw: Raw): string | undefined
  /** The value is between these positions of the text. Absent means from its start, and to its end. */
  from?: number
  end?: number
  /** The key of items that have no text. Absent means that no key finds them. */
  missing?: string
}

/** It caches the value of the last item: several buckets read the same field of one item in a row. */
export class ValueField<Raw> {
  readonly is = 'same'
  readonly name: string
  /** The positions of the last value in the text that `read` returned, and its fingerprint. */
  keyFrom = 0
  keyEnd = 0
  fingerprint = 0
  readonly #reader: TextReader<Raw>
  #raw: Raw | undefined
  #text: string | undefined

  constructor(name: string, reader: TextReader<Raw>) {
    this.name = name
    this.#reader = reader
  }

  read(raw: Raw): string | undefined {
    if (raw === this.#raw) return this.#text
    this.#raw = raw
    const { from = 0, end, missing } = this.#reader
    const text = this.#reader.read(raw)
    this.#text = text ?? missing
    if (this.#text === undefined) return undefined
    this.keyFrom = text === undefined ? 0 : from
    this.keyEnd = text === undefined || end === undefined ? this.#text.length : end
    this.fingerprint = fingerprintOf(this.#text, this.keyFrom, this.keyEnd)
    return this.#text
  }

  codeOf(key: string): number {
    return fingerprintOf(key)
  }
}

export type NumberReaders<Raw> = {
  /** The value as a double; undefined if it is not a number. */
  read(raw: Raw): number | undefined
  /** Called only if `read` returned a number. */
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
 * A field and the value that an entry wants in it. The key hits a raw item exactly if the requirement holds in the decoded
 * item. If `key` is undefined, no item can fulfil the requirement.
 */
export type FieldKey<Raw> = ValueKey<Raw> | PrefixKey<Raw> | BoundKey<Raw>
export type ValueKey<Raw> = { field: ValueField<Raw>; key: string | undefined }
export type PrefixKey<Raw> = { field: PrefixField<Raw>; key: string | undefined }
export type BoundKey<Raw> = { field: BoundField<Raw>; key: Bound }

/** Fields by name. All entries share them, so that the fields stay in the processor's cache. */
export type Fields<Raw> = {
  values: Map<string, ValueField<Raw>>
  prefixes: Map<string, PrefixField<Raw>>
  bounds: Map<string, BoundField<Raw>>
}

export function makeFields<Raw>(): Fields<Raw> {
  return { values: new Map(), prefixes: new Map(), bounds: new Map() }
}

export function valueField<Raw>({ values }: Fields<Raw>, name: string, reader: TextReader<Raw>): ValueField<Raw> {
  const known = values.get(name)
  if (known) return known
  const field = new ValueField(name, reader)
  values.set(name, field)
  return field
}

/** `read` returns the text in lower case. */
export function prefixField<Raw>(
  { prefixes }: Fields<Raw>,
  name: string,
  read: (raw: Raw) => string | undefined,
): PrefixField<Raw> {
  const field = prefixes.get(name) ?? new PrefixField(name, read)
  prefixes.set(name, field)
  return field
}

/** Returns undefined if the requirement is not a bound. */
export function makeBoundKey<Raw>(
  { bounds }: Fields<Raw>,
  name: string,
  { is, value }: Requirement,
  readers: NumberReaders<Raw>,
): BoundKey<Raw> | undefined {
  const [order, exact] = [orderOf(value), readDecimal(value)]
  if (is === 'same' || is === 'startsWith' || order === undefined || exact === undefined) return undefined
  const direction = is === 'above' || is === 'atLeast' ? 'atLeast' : 'atMost'
  const fullName = `${direction} ${name}`
  const field = bounds.get(fullName) ?? new BoundField(fullName, direction, readers)
  bounds.set(fullName, field)
  return { field, key: { order, exact, isStrict: is === 'above' || is === 'below' } }
}

export function isValue<Raw>(fieldKey: FieldKey<Raw>): fieldKey is ValueKey<Raw> {
  return fieldKey.field.is === 'same'
}
