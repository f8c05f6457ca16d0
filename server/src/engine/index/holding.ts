import { type Bounds, removeBound } from './bounds.ts'
import { type Decoded, type EntryList, makeList, removeAt } from './entry-list.ts'
import { type BoundField, isValue, type Placed, type ValueField } from './field.ts'

/**
 * Entries with the same keys that are of one kind and looked up in one way, and the next such. What a lookup passes
 * through lies all over the memory, so there is as little of it as can be.
 */
export type Holding<Raw, T extends Decoded> = OpenHolding<Raw, T> | ValueHolding<Raw, T> | BoundHolding<Raw, T>
type Common<Raw, T extends Decoded> = Kind & { next: Holding<Raw, T> | undefined }

/** Those that want every item. */
export type OpenHolding<Raw, T extends Decoded> = Common<Raw, T> & { by: 'nothing'; list: EntryList<T> }
/** Most values are wanted by one entry alone: a list for each of a million would cost more than the entries. */
export type ValueHolding<Raw, T extends Decoded> = Common<Raw, T> & {
  by: 'value'
  field: ValueField<Raw>
  /** Bits for the values, by their last letters: where few are wanted, most others are known not to be by these alone. */
  marks: number
  moreMarks: number
  byValue: Map<string, T | Several<T>>
}
export type BoundHolding<Raw, T extends Decoded> = Common<Raw, T> & Bounds<T> & { by: 'bound'; field: BoundField<Raw> }

export type Kind = {
  /** To be found is then to be concerned, once the item decodes. */
  isProven: boolean
  /** The entries stand in several places, by more than one of which an item may find them. */
  mayRepeat: boolean
  /** What else the keys ask of an item; see `Indexing`. */
  shape: number
}

/** No entry can be taken for one. */
export class Several<T> {
  readonly entries: T[]

  constructor(...entries: T[]) {
    this.entries = entries
  }
}

/** The platform's integers have room for thirty bits each. */
const marksMost = 30

export function isMarked<Raw, T extends Decoded>(holding: ValueHolding<Raw, T>, value: string): boolean {
  const at = markOf(value)
  const marks = at < marksMost ? holding.marks : holding.moreMarks
  return ((marks >> (at % marksMost)) & 1) === 1
}

export function mark<Raw, T extends Decoded>(holding: ValueHolding<Raw, T>, value: string): void {
  const at = markOf(value)
  if (at < marksMost) holding.marks |= 1 << at
  else holding.moreMarks |= 1 << (at - marksMost)
}

function markOf(value: string): number {
  const last = value.length - 1
  return last < 1 ? 0 : (value.charCodeAt(last) * 7 + value.charCodeAt(last - 1)) % (2 * marksMost)
}

/** Without a place it holds those that want every item. */
export function makeHolding<Raw, T extends Decoded>(
  { isProven, mayRepeat, shape }: Kind,
  place: Placed<Raw> | undefined,
  next: Holding<Raw, T> | undefined,
): Holding<Raw, T> {
  if (!place) return { by: 'nothing', shape, next, list: makeList(), isProven, mayRepeat }
  if (isValue(place)) {
    const values = { marks: 0, moreMarks: 0, byValue: new Map<string, T | Several<T>>() }
    return { by: 'value', shape, next, field: place.field, ...values, isProven, mayRepeat }
  }
  const bounds: Bounds<T> = { orders: [], list: makeList(), bounds: [], added: undefined }
  return { by: 'bound', shape, next, field: place.field, ...bounds, isProven, mayRepeat }
}

export function isFor<Raw, T extends Decoded>(
  holding: Holding<Raw, T>,
  { isProven, mayRepeat, shape }: Kind,
  place: Placed<Raw> | undefined,
): boolean {
  const isKind = holding.isProven === isProven && holding.mayRepeat === mayRepeat && holding.shape === shape
  return isKind && (holding.by === 'nothing' ? place === undefined : holding.field === place?.field)
}

export function removeFromHolding<Raw, T extends Decoded>(
  holding: Holding<Raw, T>,
  place: Placed<Raw> | undefined,
  entry: T,
): void {
  if (holding.by === 'nothing') removeOpen(holding.list, entry)
  else if (holding.by === 'bound') removeBound(holding, holding.field.is, entry)
  else if (typeof place?.key === 'string') removeValue(holding.byValue, place.key, entry)
}

function removeOpen<T extends Decoded>(list: EntryList<T>, entry: T): void {
  const at = list.entries.indexOf(entry)
  if (at >= 0) removeAt(list, at)
}

function removeValue<T>(byValue: Map<string, T | Several<T>>, key: string, entry: T): void {
  const same = byValue.get(key)
  if (same === entry) byValue.delete(key)
  if (!(same instanceof Several)) return
  const at = same.entries.indexOf(entry)
  if (at >= 0) same.entries.splice(at, 1)
  if (same.entries.length === 0) byValue.delete(key)
}

export function isEmpty<Raw, T extends Decoded>(holding: Holding<Raw, T>): boolean {
  if (holding.by === 'value') return holding.byValue.size === 0
  return holding.list.entries.length + (holding.by === 'bound' ? (holding.added?.length ?? 0) : 0) === 0
}
