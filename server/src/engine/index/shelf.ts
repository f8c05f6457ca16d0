import { addToBucket, type Bucket, collectFrom, isEmptyBucket, makeBucket, removeFromBucket } from './bucket.ts'
import type { Placed } from './place.ts'

/** One part of an entry's keys; undefined is the wildcard. */
export type Part = string | number | undefined

/** Entries by their keys, one level of the tree for each part of them, so that a wildcard costs one more step. */
export type Shelf<Raw, T> = { inner: Map<Part, Shelf<Raw, T>>; bucket?: Bucket<Raw, T> }

export function makeShelf<Raw, T>(): Shelf<Raw, T> {
  return { inner: new Map() }
}

export function addToShelf<Raw, T>(
  shelf: Shelf<Raw, T>,
  parts: readonly Part[],
  places: Placed<Raw>[] | undefined,
  entry: T,
): void {
  let at = shelf
  for (const part of parts) {
    const next = at.inner.get(part) ?? makeShelf<Raw, T>()
    at.inner.set(part, next)
    at = next
  }
  at.bucket ??= makeBucket()
  addToBucket(at.bucket, places, entry)
}

export function removeFromShelf<Raw, T>(
  shelf: Shelf<Raw, T>,
  parts: readonly Part[],
  places: Placed<Raw>[] | undefined,
  entry: T,
): void {
  if (parts.length === 0) removeHere(shelf, places, entry)
  const [part, ...deeper] = parts
  const next = parts.length === 0 ? undefined : shelf.inner.get(part)
  if (!next) return
  removeFromShelf(next, deeper, places, entry)
  if (!next.bucket && next.inner.size === 0) shelf.inner.delete(part)
}

function removeHere<Raw, T>(shelf: Shelf<Raw, T>, places: Placed<Raw>[] | undefined, entry: T): void {
  if (!shelf.bucket) return
  removeFromBucket(shelf.bucket, places, entry)
  if (isEmptyBucket(shelf.bucket)) shelf.bucket = undefined
}

/** The parts that an item can be found under at one level. */
export type Probe<Raw> = (raw: Raw) => readonly Part[]

export function collect<Raw, T>(
  shelf: Shelf<Raw, T>,
  probes: readonly Probe<Raw>[],
  raw: Raw,
  found: T[],
  level = 0,
): void {
  if (shelf.bucket) collectFrom(shelf.bucket, raw, found)
  const probe = probes[level]
  if (!probe || shelf.inner.size === 0) return
  for (const part of probe(raw)) {
    const next = shelf.inner.get(part)
    if (next) collect(next, probes, raw, found, level + 1)
  }
}
