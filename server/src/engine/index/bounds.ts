import { compareDecimals, type Decimal } from '../decimals.ts'
import { addAt, type Decoded, type EntryList, listOf, removeAt } from './entry-list.ts'

/** A bound as a double, which decides all but ties, and exactly. A strict one is not met by its own value. */
export type Bound = { order: number; exact: Decimal; isStrict: boolean }
export type Direction = 'atLeast' | 'atMost'

/** Entries by a bound, the weakest first: those that a value meets stand together, and the others are not looked at. */
export type Bounds<T extends Decoded> = {
  orders: number[]
  bounds: Bound[]
  list: EntryList<T>
  /** Not yet sorted in. */
  added: [Bound, T][] | undefined
}

/** Sorted in when next asked: a million are added one by one when the service starts. */
export function addBound<T extends Decoded>(to: Bounds<T>, bound: Bound, entry: T): void {
  to.added ??= []
  to.added.push([bound, entry])
}

/** One of its bounds, if it has several here. */
export function removeBound<T extends Decoded>(from: Bounds<T>, is: Direction, gone: T): void {
  sortIn(from, is)
  const at = from.list.entries.indexOf(gone)
  if (at < 0) return
  from.orders.splice(at, 1)
  from.bounds.splice(at, 1)
  removeAt(from.list, at)
}

/** How many of the list, from the first, a value meets. `exact` is asked for only when its double is also a bound's. */
export function countMet<T extends Decoded>(
  all: Bounds<T>,
  is: Direction,
  order: number,
  exact: () => Decimal,
): number {
  if (all.added) sortIn(all, is)
  const { orders } = all
  let value: Decimal | undefined
  let [low, high] = [0, orders.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = orders[middle] ?? 0
    let isMet = is === 'atLeast' ? other < order : other > order
    if (other === order) {
      value ??= exact()
      isMet = meets(is, value, all.bounds[middle])
    }
    if (isMet) low = middle + 1
    else high = middle
  }
  return low
}

function meets(is: Direction, value: Decimal, bound: Bound | undefined): boolean {
  if (!bound) return false
  const sign = is === 'atLeast' ? compareDecimals(value, bound.exact) : compareDecimals(bound.exact, value)
  return sign > 0 || (sign === 0 && !bound.isStrict)
}

const fewAdded = 16

/** A few are put in their places, many are sorted together with the rest. */
function sortIn<T extends Decoded>(into: Bounds<T>, is: Direction): void {
  const { added = [] } = into
  into.added = undefined
  if (added.length <= fewAdded && into.orders.length > fewAdded) for (const one of added) insert(into, is, one)
  else sortAll(into, is, added)
}

function insert<T extends Decoded>(into: Bounds<T>, is: Direction, [bound, entry]: [Bound, T]): void {
  let [low, high] = [0, into.bounds.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = into.bounds[middle]
    if (other && byWeakness(is, other, bound) <= 0) low = middle + 1
    else high = middle
  }
  into.orders.splice(low, 0, bound.order)
  into.bounds.splice(low, 0, bound)
  addAt(into.list, low, entry)
}

function sortAll<T extends Decoded>(into: Bounds<T>, is: Direction, added: [Bound, T][]): void {
  const all = [...added]
  for (const [at, bound] of into.bounds.entries()) {
    const entry = into.list.entries[at]
    if (entry !== undefined) all.push([bound, entry])
  }
  all.sort(([a], [b]) => byWeakness(is, a, b))
  into.orders = all.map(([{ order }]) => order)
  into.bounds = all.map(([bound]) => bound)
  into.list = listOf(all.map(([, entry]) => entry))
}

function byWeakness(is: Direction, a: Bound, b: Bound): number {
  const sign = a.order === b.order ? compareDecimals(a.exact, b.exact) : a.order < b.order ? -1 : 1
  if (sign !== 0) return is === 'atLeast' ? sign : -sign
  return Number(a.isStrict) - Number(b.isStrict)
}
