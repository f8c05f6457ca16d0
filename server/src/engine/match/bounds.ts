import { compareDecimals, type Decimal } from '../base/decimals.ts'
import type { Direction } from './field.ts'
import {
  addRow,
  type HasDecoder,
  type PostingsList,
  type Row,
  removeRow,
  rowsOf,
  setRows,
  type WantedValue,
} from './postings-list.ts'

/** Adds a row without sorting. The next lookup sorts, because the service adds up to a million rows when it starts. */
export function addBound<Raw, T extends HasDecoder>(to: PostingsList<Raw, T>, row: Row<T>): void {
  to.added ??= []
  to.added.push(row)
}

/** Removes one row of the entry. Returns false if the list has none. */
export function removeBound<Raw, T extends HasDecoder>(from: PostingsList<Raw, T>, is: Direction, entry: T): boolean {
  sortAddedRows(from, is)
  const at = from.entries.indexOf(entry)
  if (at >= 0) removeRow(from, at)
  return at >= 0
}

/** Counts the entries from the first on whose bounds a value meets. It calls `exact` only if two doubles are equal. */
export function countMet<Raw, T extends HasDecoder>(
  all: PostingsList<Raw, T>,
  is: Direction,
  order: number,
  exact: () => Decimal,
): number {
  if (all.added) sortAddedRows(all, is)
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

export function meets(is: Direction, value: Decimal, bound: WantedValue | undefined): boolean {
  if (typeof bound !== 'object') return false
  const sign = is === 'atLeast' ? compareDecimals(value, bound.exact) : compareDecimals(bound.exact, value)
  return sign > 0 || (sign === 0 && !bound.isStrict)
}

const insertedRowsMax = 16

/** Inserts a few added rows by binary search; sorts everything if there are many. */
function sortAddedRows<Raw, T extends HasDecoder>(into: PostingsList<Raw, T>, is: Direction): void {
  const { added = [] } = into
  into.added = undefined
  if (added.length <= insertedRowsMax && into.entries.length > insertedRowsMax)
    for (const row of added) addRow(into, findRowFor(into, is, row), row)
  else setRows(into, [...rowsOf(into), ...added].sort(compareRows(is)))
}

function findRowFor<Raw, T extends HasDecoder>(
  { entries, wanted, width }: PostingsList<Raw, T>,
  is: Direction,
  row: Row<T>,
) {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareBounds(is, wanted[middle * width], row.wanted[0]) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

function compareRows(is: Direction): (a: Row<unknown>, b: Row<unknown>) => number {
  return (a, b) => compareBounds(is, a.wanted[0], b.wanted[0])
}

function compareBounds(is: Direction, a: WantedValue | undefined, b: WantedValue | undefined): number {
  if (typeof a !== 'object' || typeof b !== 'object') return 0
  const sign = a.order === b.order ? compareDecimals(a.exact, b.exact) : a.order < b.order ? -1 : 1
  if (sign !== 0) return is === 'atLeast' ? sign : -sign
  return Number(a.isStrict) - Number(b.isStrict)
}
