import { meets } from './bounds.ts'
import type { BoundField, ValueField } from './field.ts'
import type { Decoded, Posting } from './posting.ts'

/** Some of the first rows of a posting, by their numbers; undefined: all of them. */
type Rows = readonly number[] | undefined

/** Which of the first so many entries pass all tests. */
export function rowsThatPass<Raw, T extends Decoded>(posting: Posting<Raw, T>, raw: Raw, count: number): Rows {
  const { tests } = posting.layout
  let rows: Rows
  for (let at = 0; at < tests.length; at++) {
    const test = tests[at]
    if (!test) continue
    const { field, isNot } = test
    const from = posting.isSorted ? at + 1 : at
    if (field.is === 'same') rows = keepByValue(rows, count, posting, from, field, isNot, raw)
    else rows = keepByBound(rows, count, posting, from, field, isNot, raw)
  }
  return rows
}

/** Nobody's fingerprint is the item's, mostly: that is seen at a glance, and then all of them pass or none. */
function keepByValue<Raw, T extends Decoded>(
  rows: Rows,
  count: number,
  { codes, wanted, width }: Posting<Raw, T>,
  from: number,
  field: ValueField<Raw>,
  isNot: boolean,
  raw: Raw,
): Rows {
  const text = field.read(raw)
  const { print, keyFrom } = field
  if (text === undefined || !hasCode(codes, from, width, count, print)) return isNot ? rows : []
  const key = text.slice(keyFrom)
  return keep(rows, count, (row) => {
    const cell = row * width + from
    return (codes[cell] === print && wanted[cell] === key) !== isNot
  })
}

function hasCode(codes: readonly number[], from: number, width: number, count: number, code: number): boolean {
  for (let cell = from; cell < count * width; cell += width) if (codes[cell] === code) return true
  return false
}

/** Doubles decide, and where they are the same the exact numbers. */
function keepByBound<Raw, T extends Decoded>(
  rows: Rows,
  count: number,
  { codes, wanted, width }: Posting<Raw, T>,
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

/** Nothing is written down until one does not pass. */
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
