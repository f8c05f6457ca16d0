import type { Bound, Field } from './field.ts'

/** The part of an entry that the index groups hits by. */
export type HasDecoder = { decoder?: unknown }

/** What a hit says about the conditions of the entry: all hold, its requirements hold, or nothing. */
export type Certainty = 'proven' | 'narrowed' | 'candidates'

/**
 * The checks that all rows of a postings list share: the same fields, with other wanted values in each row. `certainty` is
 * that of an entry whose row passes.
 */
export type Layout<Raw> = { name: string; checks: readonly FieldCheck<Raw>[]; certainty: Certainty }
export type FieldCheck<Raw> = { field: Field<Raw>; isNot: boolean }

/** An entry and its wanted values: first its bound, if the list is sorted by bounds, then one value for each check. */
export type Row<T> = { entry: T; wanted: readonly WantedValue[] }
export type WantedValue = string | Bound

/**
 * The entries of one key, and a link to the next list with another layout. One lookup may return thousands of entries that
 * are scattered in memory. So the list copies the values that it checks into flat arrays beside the entries: a check
 * reads no entry.
 */
export class PostingsList<Raw, T extends HasDecoder> {
  readonly layout: Layout<Raw>
  /** True if the entries are stored by a bound. They are then sorted by it, the weakest first, and it is a row's first cell. */
  readonly isSorted: boolean
  /** The number of cells in a row. */
  readonly width: number
  entries: T[] = []
  /** The wanted values row by row, as numbers for the fast comparison. `wanted` has the exact values for ties. */
  codes: number[] = []
  wanted: WantedValue[] = []
  /** The decoder that all entries share. `decoders` is set only if they have different ones. */
  decoder: T['decoder'] = undefined
  decoders: T['decoder'][] | undefined
  /** Rows that are not yet sorted into the arrays. */
  added: Row<T>[] | undefined
  next: PostingsList<Raw, T> | undefined

  constructor(layout: Layout<Raw>, isSorted: boolean, next: PostingsList<Raw, T> | undefined) {
    this.layout = layout
    this.isSorted = isSorted
    this.width = layout.checks.length + (isSorted ? 1 : 0)
    this.next = next
  }
}

export function addRow<Raw, T extends HasDecoder>(
  to: PostingsList<Raw, T>,
  at: number,
  { entry, wanted }: Row<T>,
): void {
  if (to.entries.length === 0) to.decoder = entry.decoder
  if (entry.decoder !== to.decoder) to.decoders ??= to.entries.map(() => to.decoder)
  to.entries.splice(at, 0, entry)
  to.decoders?.splice(at, 0, entry.decoder)
  if (to.width === 0) return
  to.codes.splice(at * to.width, 0, ...wanted.map((value, cell) => codeOf(to, value, cell)))
  to.wanted.splice(at * to.width, 0, ...wanted)
}

/** `cell` is the position in the row. */
function codeOf<Raw, T extends HasDecoder>(
  { layout: { checks }, isSorted }: PostingsList<Raw, T>,
  wanted: WantedValue,
  cell: number,
): number {
  if (typeof wanted === 'object') return wanted.order
  const field = checks[isSorted ? cell - 1 : cell]?.field
  return field && 'codeOf' in field ? field.codeOf(wanted) : 0
}

export function removeRow<Raw, T extends HasDecoder>(from: PostingsList<Raw, T>, at: number): void {
  const { width } = from
  from.entries.splice(at, 1)
  from.decoders?.splice(at, 1)
  from.codes.splice(at * width, width)
  from.wanted.splice(at * width, width)
}

export function rowsOf<Raw, T extends HasDecoder>({ width, entries, wanted }: PostingsList<Raw, T>): Row<T>[] {
  return entries.map((entry, at) => ({ entry, wanted: wanted.slice(at * width, (at + 1) * width) }))
}

/** Replaces all rows. New arrays of the right size keep the rows close together in memory. */
export function setRows<Raw, T extends HasDecoder>(of: PostingsList<Raw, T>, rows: readonly Row<T>[]): void {
  of.wanted = rows.flatMap(({ wanted }) => wanted)
  of.codes = of.wanted.map((value, at) => codeOf(of, value, at % of.width))
  of.entries = rows.map(({ entry }) => entry)
  of.decoder = of.entries[0]?.decoder
  const isSameDecoder = of.entries.every(({ decoder }) => decoder === of.decoder)
  of.decoders = isSameDecoder ? undefined : of.entries.map(({ decoder }) => decoder)
}

export function isEmpty<Raw, T extends HasDecoder>({ entries, added }: PostingsList<Raw, T>): boolean {
  return entries.length + (added?.length ?? 0) === 0
}
