import { addBound, type Bounds, collectMet, isWithoutBounds, makeBounds, removeBound } from './bounds.ts'
import type { Placed, PlacedBound, PlacedValue } from './place.ts'

/** The entries with the same keys: by the values they want, by the bounds they set, and those that want every item. */
export type Bucket<Raw, T> = { open: T[]; values: ValueField<Raw, T>[]; bounds: BoundField<Raw, T>[] }
type ValueField<Raw, T> = Pick<PlacedValue<Raw>, 'field' | 'read'> & { byValue: Map<string, T[]> }
type BoundField<Raw, T> = Pick<PlacedBound<Raw>, 'field' | 'read'> & { bounds: Bounds<T> }

export function makeBucket<Raw, T>(): Bucket<Raw, T> {
  return { open: [], values: [], bounds: [] }
}

export function isEmptyBucket<Raw, T>({ open, values, bounds }: Bucket<Raw, T>): boolean {
  return open.length + values.length + bounds.length === 0
}

/** One lookup for each field, however many entries there are. */
export function collectFrom<Raw, T>(bucket: Bucket<Raw, T>, raw: Raw, found: T[]): void {
  for (const entry of bucket.open) found.push(entry)
  for (const { read, byValue } of bucket.values) {
    const value = read(raw)
    const same = value === undefined ? undefined : byValue.get(value)
    if (same) for (const entry of same) found.push(entry)
  }
  for (const { read, bounds } of bucket.bounds) {
    const value = read(raw)
    if (value !== undefined) collectMet(bounds, value, found)
  }
}

export function addToBucket<Raw, T>(bucket: Bucket<Raw, T>, places: Placed<Raw>[] | undefined, entry: T): void {
  if (!places) bucket.open.push(entry)
  for (const place of places ?? []) {
    if (place.is === 'same') addValue(bucket, place, entry)
    else addToBounds(bucket, place, entry)
  }
}

function addValue<Raw, T>({ values }: Bucket<Raw, T>, { field, read, key = '' }: PlacedValue<Raw>, entry: T): void {
  const known = values.find((each) => each.field === field)
  const byValue = known?.byValue ?? new Map<string, T[]>()
  if (!known) values.push({ field, read, byValue })
  const same = byValue.get(key)
  if (same) same.push(entry)
  else byValue.set(key, [entry])
}

function addToBounds<Raw, T>(bucket: Bucket<Raw, T>, { field, is, read, key = 0 }: PlacedBound<Raw>, entry: T): void {
  const known = bucket.bounds.find((each) => each.field === field)
  const bounds = known?.bounds ?? makeBounds<T>(is)
  if (!known) bucket.bounds.push({ field, read, bounds })
  addBound(bounds, key, entry)
}

export function removeFromBucket<Raw, T>(bucket: Bucket<Raw, T>, places: Placed<Raw>[] | undefined, entry: T): void {
  if (!places) drop(bucket.open, entry)
  for (const place of places ?? []) {
    if (place.is === 'same') removeValue(bucket, place, entry)
    else removeFromBounds(bucket, place, entry)
  }
}

function removeValue<Raw, T>({ values }: Bucket<Raw, T>, { field, key = '' }: PlacedValue<Raw>, entry: T): void {
  const known = values.find((each) => each.field === field)
  const same = known?.byValue.get(key)
  if (!known || !same) return
  drop(same, entry)
  if (same.length === 0) known.byValue.delete(key)
  if (known.byValue.size === 0) drop(values, known)
}

function removeFromBounds<Raw, T>(bucket: Bucket<Raw, T>, { field }: PlacedBound<Raw>, entry: T): void {
  const known = bucket.bounds.find((each) => each.field === field)
  if (!known) return
  removeBound(known.bounds, entry)
  if (isWithoutBounds(known.bounds)) drop(bucket.bounds, known)
}

/** Order says nothing here, so the last one takes the place of the one that goes. */
function drop<T>(list: T[], gone: T): void {
  const at = list.indexOf(gone)
  if (at < 0) return
  const last = list.pop()
  if (at < list.length && last !== undefined) list[at] = last
}
