import { compareDecimals, type Decimal } from '../base/decimals.ts'
import type { Direction } from './field.ts'
import { addRow, type Decoded, type Posting, type Row, removeRow, rowsOf, setRows, type Wanted } from './posting.ts'

/** Sorted in when next asked: a million are added one by one when the service starts. */
export function addBound<Raw, T extends Decoded>(to: Posting<Raw, T>, row: Row<T>): void {
  to.added ??= []
  to.added.push(row)
}

/** One of its bounds, if it has several here. Whether it had any. */
export function removeBound<Raw, T extends Decoded>(from: Posting<Raw, T>, is: Direction, gone: T): boolean {
  sortIn(from, is)
  const at = from.entries.indexOf(gone)
  if (at >= 0) removeRow(from, at)
  return at >= 0
}

/** How many entries, from the first, a value meets. `exact` is asked for only when its double is also a bound's. */
export function countMet<Raw, T extends Decoded>(
  all: Posting<Raw, T>,
  is: Direction,
  order: number,
  exact: () => Decimal,
): number {
  if (all.added) sortIn(all, is)
  const { codes, width } = all
  let value: Decimal | undefined
  let [low, high] = [0, all.entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = codes[middle * width] ?? 0
    let isMet = is === 'atLeast' ? other < order : other > order
    if (other === order) {
      value ??= exact()
      isMet = meets(is, value, all.wanted[middle * width])
    }
    if (isMet) low = middle + 1
    else high = middle
  }
  return low
}

export function meets(is: Direction, value: Decimal, bound: Wanted | undefined): boolean {
  if (typeof bound !== 'object') return false
  const sign = is === 'atLeast' ? compareDecimals(value, bound.exact) : compareDecimals(bound.exact, value)
  return sign > 0 || (sign === 0 && !bound.isStrict)
}

const fewAdded = 16

/** A few are put in their places, many are sorted together with the rest. */
function sortIn<Raw, T extends Decoded>(into: Posting<Raw, T>, is: Direction): void {
  const { added = [] } = into
  into.added = undefined
  if (added.length <= fewAdded && into.entries.length > fewAdded)
    for (const row of added) addRow(into, placeFor(into, is, row), row)
  else setRows(into, [...rowsOf(into), ...added].sort(byWeakness(is)))
}

function placeFor<Raw, T extends Decoded>({ entries, wanted, width }: Posting<Raw, T>, is: Direction, row: Row<T>) {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareBounds(is, wanted[middle * width], row.wanted[0]) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

function byWeakness(is: Direction): (a: Row<unknown>, b: Row<unknown>) => number {
  return (a, b) => compareBounds(is, a.wanted[0], b.wanted[0])
}

function compareBounds(is: Direction, a: Wanted | undefined, b: Wanted | undefined): number {
  if (typeof a !== 'object' || typeof b !== 'object') return 0
  const sign = a.order === b.order ? compareDecimals(a.exact, b.exact) : a.order < b.order ? -1 : 1
  if (sign !== 0) return is === 'atLeast' ? sign : -sign
  return Number(a.isStrict) - Number(b.isStrict)
}
