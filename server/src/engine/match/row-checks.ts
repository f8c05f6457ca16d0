import { meets } from './bounds.ts'
import type { BoundField, ValueField } from './field.ts'
import type { HasDecoder, PostingsList } from './postings-list.ts'
import type { PrefixField } from './prefix-field.ts'

/** Row numbers of a postings list; undefined means all counted rows. */
type Rows = readonly number[] | undefined

/** Returns the rows among the first `count` that pass all checks. */
export function filterRows<Raw, T extends HasDecoder>(postings: PostingsList<Raw, T>, raw: Raw, count: number): Rows {
  const { checks } = postings.layout
  let rows: Rows
  for (let at = 0; at < checks.length; at++) {
    const check = checks[at]
    if (!check) continue
    const { field, isNot } = check
    const from = postings.isSorted ? at + 1 : at
    if (field.is === 'same') rows = keepByValue(rows, count, postings, from, field, isNot, raw)
    else if (field.is === 'startsWith') rows = keepByPrefix(rows, count, postings, from, field, isNot, raw)
    else rows = keepByBound(rows, count, postings, from, field, isNot, raw)
  }
  return rows
}

/** Mostly no row has the item's fingerprint. One scan of the codes shows that, and then all rows pass or none. */
function keepByValue<Raw, T extends HasDecoder>(
  rows: Rows,
  count: number,
  { codes, wanted, width }: PostingsList<Raw, T>,
  from: number,
  field: ValueField<Raw>,
  isNot: boolean,
  raw: Raw,
): Rows {
  const text = field.read(raw)
  const { fingerprint, keyFrom, keyEnd } = field
  if (text === undefined || !hasCode(codes, from, width, count, fingerprint)) return isNot ? rows : []
  const key = text.slice(keyFrom, keyEnd)
  return keep(rows, count, (row) => {
    const cell = row * width + from
    return (codes[cell] === fingerprint && wanted[cell] === key) !== isNot
  })
}

function hasCode(codes: readonly number[], from: number, width: number, count: number, code: number): boolean {
  for (let cell = from; cell < count * width; cell += width) if (codes[cell] === code) return true
  return false
}

/** Mostly no row has the code of a prefix of the item's text, as above. */
function keepByPrefix<Raw, T extends HasDecoder>(
  rows: Rows,
  count: number,
  { codes, wanted, width }: PostingsList<Raw, T>,
  from: number,
  field: PrefixField<Raw>,
  isNot: boolean,
  raw: Raw,
): Rows {
  const text = field.read(raw)
  if (text === undefined || !hasPrefix(codes, from, width, count, field.codes)) return isNot ? rows : []
  return keep(rows, count, (row) => {
    const cell = row * width + from
    return (isCodeIn(field.codes, codes[cell]) && text.startsWith(String(wanted[cell]))) !== isNot
  })
}

function hasPrefix(codes: readonly number[], from: number, width: number, count: number, of: Int32Array): boolean {
  for (let cell = from; cell < count * width; cell += width) if (isCodeIn(of, codes[cell])) return true
  return false
}

/** The last four bits of a code are its length, and so its place among the codes of a text. */
function isCodeIn(codes: Int32Array, code = 0): boolean {
  return codes[code & 15] === code
}

/** Compares doubles first, and exact numbers only if the doubles are equal. */
function keepByBound<Raw, T extends HasDecoder>(
  rows: Rows,
  count: number,
  { codes, wanted, width }: PostingsList<Raw, T>,
  from: number,
  field: BoundField<Raw>,
  isNot: boolean,
  raw: Raw,
): Rows {
  const order = field.read(raw)
  if (order === undefined) return isNot ? rows : []
  const isAtLeast = field.is === 'atLeast'
  return keep(rows, count, (row) => {
    const cell = row * width + from
    const code = codes[cell] ?? 0
    if (code !== order) return (isAtLeast ? code < order : code > order) !== isNot
    return meets(field.is, field.readExact(raw), wanted[cell]) !== isNot
  })
}

/** Allocates an array only when the first row fails. */
function keep(rows: Rows, count: number, passes: (row: number) => boolean): Rows {
  const length = rows ? rows.length : count
  let at = 0
  while (at < length && passes(rows ? (rows[at] ?? 0) : at)) at++
  if (at === length) return rows
  const kept = rows ? rows.slice(0, at) : Array.from({ length: at }, (_, row) => row)
  for (at++; at < length; at++) {
    const row = rows ? (rows[at] ?? 0) : at
    if (passes(row)) kept.push(row)
  }
  return kept
}
