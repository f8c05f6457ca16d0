import type { Bound, Field } from './field.ts'
import { fingerprintOf } from './fingerprint.ts'

/** What the index has to know of an entry in order to group it. */
export type Decoded = { decoder?: unknown }

/**
 * What the entries of a posting ask for besides what they are found by: all of them in the same fields, each another
 * value. One who passes is concerned if `isProven`, once the item decodes.
 */
export type Layout<Raw> = { name: string; tests: readonly FieldTest<Raw>[]; isProven: boolean }
export type FieldTest<Raw> = { field: Field<Raw>; isNot: boolean }

/** An entry with what it wants: its bound, where entries are found by one, and then test by test. */
export type Row<T> = { entry: T; wanted: readonly Wanted[] }
export type Wanted = string | Bound

/**
 * Entries that are found together, and the next such. Thousands may be found at once and lie all over the memory, so
 * that to look into each would take longer than to find them: what must be known of them stands in rows beside them.
 */
export class Posting<Raw, T extends Decoded> {
  readonly layout: Layout<Raw>
  /** Where entries are found by a bound, they are sorted by it, the weakest first, and rows begin with it. */
  readonly isSorted: boolean
  /** How many cells a row has. */
  readonly width: number
  entries: T[] = []
  /** What they want, row by row, as numbers that decide nearly always, and exactly. */
  codes: number[] = []
  wanted: Wanted[] = []
  /** Mostly all entries have the same. */
  decoder: T['decoder'] = undefined
  decoders: T['decoder'][] | undefined
  /** Not yet sorted in. */
  added: Row<T>[] | undefined
  next: Posting<Raw, T> | undefined

  constructor(layout: Layout<Raw>, isSorted: boolean, next: Posting<Raw, T> | undefined) {
    this.layout = layout
    this.isSorted = isSorted
    this.width = layout.tests.length + (isSorted ? 1 : 0)
    this.next = next
  }
}

export function addRow<Raw, T extends Decoded>(to: Posting<Raw, T>, at: number, { entry, wanted }: Row<T>): void {
  if (to.entries.length === 0) to.decoder = entry.decoder
  if (entry.decoder !== to.decoder) to.decoders ??= to.entries.map(() => to.decoder)
  to.entries.splice(at, 0, entry)
  to.decoders?.splice(at, 0, entry.decoder)
  if (to.width === 0) return
  to.codes.splice(at * to.width, 0, ...wanted.map(codeOf))
  to.wanted.splice(at * to.width, 0, ...wanted)
}

function codeOf(wanted: Wanted): number {
  return typeof wanted === 'string' ? fingerprintOf(wanted) : wanted.order
}

export function removeRow<Raw, T extends Decoded>(from: Posting<Raw, T>, at: number): void {
  const { width } = from
  from.entries.splice(at, 1)
  from.decoders?.splice(at, 1)
  from.codes.splice(at * width, width)
  from.wanted.splice(at * width, width)
}

export function rowsOf<Raw, T extends Decoded>({ width, entries, wanted }: Posting<Raw, T>): Row<T>[] {
  return entries.map((entry, at) => ({ entry, wanted: wanted.slice(at * width, (at + 1) * width) }))
}

/** These and no others. All that they fill is made anew, of the right size and at once, so that it lies together. */
export function setRows<Raw, T extends Decoded>(of: Posting<Raw, T>, rows: readonly Row<T>[]): void {
  of.wanted = rows.flatMap(({ wanted }) => wanted)
  of.codes = of.wanted.map(codeOf)
  of.entries = rows.map(({ entry }) => entry)
  of.decoder = of.entries[0]?.decoder
  const isOne = of.entries.every(({ decoder }) => decoder === of.decoder)
  of.decoders = isOne ? undefined : of.entries.map(({ decoder }) => decoder)
}

export function isEmpty<Raw, T extends Decoded>({ entries, added }: Posting<Raw, T>): boolean {
  return entries.length + (added?.length ?? 0) === 0
}
