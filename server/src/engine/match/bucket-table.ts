import { countMet } from './bounds.ts'
import { addToBucket, type Bucket, findOrAddBucket, type KeyPart, noPart, partOf, removeFromBucket } from './bucket.ts'
import type { BoundField, ValueField } from './field.ts'
import { fingerprintOf, fingerprintOfBoth } from './fingerprint.ts'
import { addHit, addHits, type Hits } from './hits.ts'
import { KeyTable } from './key-table.ts'
import type { Plan } from './plan.ts'
import { type HasDecoder, PostingsList } from './postings-list.ts'
import type { PrefixField } from './prefix-field.ts'
import { filterRows } from './row-checks.ts'

/** The parts of an entry's keys that the index looks up. An absent part is a wildcard. */
export type KeyParts = {
  /** The part that many entries share. */
  first?: string
  /** The more selective part, or all the values of it that the entry accepts. */
  second?: string | readonly string[]
  /** Further demands of the keys, encoded as one number. */
  shape: number
}

/** How the index reads key parts from a raw item. */
export type Lookup<Raw> = {
  /** The item's first part, or all that it may have. Called only if the table has entries with a first part. */
  firstOf(raw: Raw): string | readonly string[] | undefined
  secondOf(raw: Raw): string | undefined
  /** `hasShape` says if entries of this shape can match the item; `shapesOf` lists all such shapes. */
  hasShape(raw: Raw, shape: number): boolean
  shapesOf(raw: Raw): readonly number[]
}

/** Buckets by first key part and shape. `any` holds the entries without a first part. */
export type BucketTable<Raw, T extends HasDecoder> = {
  any: Shapes<Raw, T>
  byFirstPart: KeyTable<Shapes<Raw, T>>
}
/** The buckets of each shape, as a list, which a lookup reads faster than a Map. `byShape` finds them in a long list. */
type Shapes<Raw, T extends HasDecoder> = {
  list: readonly ShapeBuckets<Raw, T>[]
  byShape: Map<number, ShapeBuckets<Raw, T>>
}
type ShapeBuckets<Raw, T extends HasDecoder> = { shape: number; buckets: Bucket<Raw, T>[] }

/** Up to this many shapes a lookup tests each shape; most tables have one. */
const scannedShapesMax = 4

export function makeBucketTable<Raw, T extends HasDecoder>(): BucketTable<Raw, T> {
  return { any: makeShapes(), byFirstPart: new KeyTable() }
}

export function addToBuckets<Raw, T extends HasDecoder>(
  { any, byFirstPart }: BucketTable<Raw, T>,
  { first, second, shape }: KeyParts,
  plan: Plan<Raw>,
  entry: T,
): void {
  const shapes = first === undefined ? any : (shapesAt(byFirstPart, first) ?? addShapes(byFirstPart, first))
  const { buckets } = shapes.byShape.get(shape) ?? addShape(shapes, shape)
  for (const part of partsOf(second))
    for (const fieldKey of plan.fieldKeys)
      addToBucket(findOrAddBucket(buckets, part, fieldKey, plan), part, fieldKey, plan, entry)
}

/** Also removes the buckets and shapes that are empty afterwards. */
export function removeFromBuckets<Raw, T extends HasDecoder>(
  { any, byFirstPart }: BucketTable<Raw, T>,
  { first, second, shape }: KeyParts,
  plan: Plan<Raw>,
  entry: T,
): void {
  const shapes = first === undefined ? any : shapesAt(byFirstPart, first)
  const known = shapes?.byShape.get(shape)
  if (!shapes || !known) return
  for (const part of partsOf(second))
    for (const fieldKey of plan.fieldKeys)
      removeFromBucket(findOrAddBucket(known.buckets, part, fieldKey, plan), part, fieldKey, entry)
  known.buckets = known.buckets.filter(({ table }) => table.size > 0)
  if (known.buckets.length === 0) removeShape(shapes, shape)
  if (shapes.list.length === 0 && first !== undefined)
    byFirstPart.remove(byFirstPart.find(fingerprintOf(first), first, ''))
}

/** An item has one second part, so an entry under several of them is found at most once. */
function partsOf(second: string | readonly string[] | undefined): readonly KeyPart[] {
  return second === undefined || typeof second === 'string' ? [partOf(second)] : second.map(partOf)
}

function shapesAt<Raw, T extends HasDecoder>(
  byFirstPart: KeyTable<Shapes<Raw, T>>,
  first: string,
): Shapes<Raw, T> | undefined {
  return byFirstPart.values[byFirstPart.find(fingerprintOf(first), first, '')]
}

function addShapes<Raw, T extends HasDecoder>(byFirstPart: KeyTable<Shapes<Raw, T>>, first: string): Shapes<Raw, T> {
  const shapes = makeShapes<Raw, T>()
  byFirstPart.add(fingerprintOf(first), first, '', shapes)
  return shapes
}

function makeShapes<Raw, T extends HasDecoder>(): Shapes<Raw, T> {
  return { list: [], byShape: new Map() }
}

function addShape<Raw, T extends HasDecoder>(to: Shapes<Raw, T>, shape: number): ShapeBuckets<Raw, T> {
  const added: ShapeBuckets<Raw, T> = { shape, buckets: [] }
  to.byShape.set(shape, added)
  to.list = [...to.byShape.values()]
  return added
}

function removeShape<Raw, T extends HasDecoder>(from: Shapes<Raw, T>, shape: number): void {
  from.byShape.delete(shape)
  from.list = [...from.byShape.values()]
}

export function collectHits<Raw, T extends HasDecoder>(
  { any, byFirstPart }: BucketTable<Raw, T>,
  lookup: Lookup<Raw>,
  raw: Raw,
  hits: Hits<T>,
): void {
  if (any.list.length > 0) collectShapes(any, lookup, raw, hits)
  const first = byFirstPart.size > 0 ? lookup.firstOf(raw) : undefined
  if (typeof first === 'string') collectByFirstPart(byFirstPart, first, lookup, raw, hits)
  else if (first) for (const each of first) collectByFirstPart(byFirstPart, each, lookup, raw, hits)
}

function collectByFirstPart<Raw, T extends HasDecoder>(
  byFirstPart: KeyTable<Shapes<Raw, T>>,
  first: string,
  lookup: Lookup<Raw>,
  raw: Raw,
  hits: Hits<T>,
): void {
  const shapes = shapesAt(byFirstPart, first)
  if (shapes) collectShapes(shapes, lookup, raw, hits)
}

function collectShapes<Raw, T extends HasDecoder>(
  { list, byShape }: Shapes<Raw, T>,
  lookup: Lookup<Raw>,
  raw: Raw,
  hits: Hits<T>,
): void {
  if (list.length > scannedShapesMax) {
    for (const shape of lookup.shapesOf(raw)) {
      const known = byShape.get(shape)
      if (known) collectFromBuckets(known.buckets, lookup, raw, hits)
    }
    return
  }
  for (const { shape, buckets } of list) if (lookup.hasShape(raw, shape)) collectFromBuckets(buckets, lookup, raw, hits)
}

function collectFromBuckets<Raw, T extends HasDecoder>(
  buckets: readonly Bucket<Raw, T>[],
  lookup: Lookup<Raw>,
  raw: Raw,
  hits: Hits<T>,
): void {
  let part: KeyPart | undefined
  for (const bucket of buckets) {
    if (bucket.hasPart) part ??= partOf(lookup.secondOf(raw))
    collectFromBucket(bucket, bucket.hasPart ? (part ?? noPart) : noPart, raw, hits)
  }
}

/** Collects a bucket's hits for an item with one table lookup, or with one for each length of prefix. */
function collectFromBucket<Raw, T extends HasDecoder>(
  bucket: Bucket<Raw, T>,
  part: KeyPart,
  raw: Raw,
  hits: Hits<T>,
): void {
  const { field, table } = bucket
  if (!field) collectAt(bucket, table.find(part.fingerprint, part.text, ''), raw, hits)
  else if (field.is === 'same') collectByValue(bucket, field, part, raw, hits)
  else if (field.is === 'startsWith') collectByPrefix(bucket, field, part, raw, hits)
  else collectByBound(bucket, field, part, raw, hits)
}

function collectByValue<Raw, T extends HasDecoder>(
  bucket: Bucket<Raw, T>,
  field: ValueField<Raw>,
  part: KeyPart,
  raw: Raw,
  hits: Hits<T>,
): void {
  const text = field.read(raw)
  if (text === undefined) return
  const fingerprint = fingerprintOfBoth(part.fingerprint, field.fingerprint)
  collectAt(bucket, bucket.table.find(fingerprint, part.text, text, field.keyFrom, field.keyEnd), raw, hits)
}

function collectByPrefix<Raw, T extends HasDecoder>(
  bucket: Bucket<Raw, T>,
  field: PrefixField<Raw>,
  part: KeyPart,
  raw: Raw,
  hits: Hits<T>,
): void {
  const text = field.read(raw)
  if (text === undefined) return
  for (const length of bucket.prefixLengths) {
    if (length > text.length) continue
    const fingerprint = fingerprintOfBoth(part.fingerprint, fingerprintOf(text, 0, length))
    collectAt(bucket, bucket.table.find(fingerprint, part.text, text, 0, length), raw, hits)
  }
}

function collectByBound<Raw, T extends HasDecoder>(
  bucket: Bucket<Raw, T>,
  field: BoundField<Raw>,
  part: KeyPart,
  raw: Raw,
  hits: Hits<T>,
): void {
  const { table } = bucket
  const firstSlot = table.findSlot(part.fingerprint)
  const order = firstSlot < 0 ? undefined : field.read(raw)
  if (order === undefined) return
  const number = field.is === 'atLeast' ? order : -order
  collectAt(
    bucket,
    table.findFromSlot(firstSlot, part.fingerprint, part.text, '', 0, 0, number),
    raw,
    hits,
    field,
    order,
  )
}

function collectAt<Raw, T extends HasDecoder>(
  bucket: Bucket<Raw, T>,
  position: number,
  raw: Raw,
  hits: Hits<T>,
  field?: BoundField<Raw>,
  order = 0,
): void {
  if (position === 0) return
  const stored = bucket.table.values[position]
  if (!(stored instanceof PostingsList)) {
    if (stored !== undefined) addHit(hits, bucket, stored, stored.decoder)
    return
  }
  for (let postings: PostingsList<Raw, T> | undefined = stored; postings; postings = postings.next) {
    const count = field ? countMet(postings, field.is, order, () => field.readExact(raw)) : postings.entries.length
    if (count > 0) addPassingRows(bucket, postings, count, raw, hits)
  }
}

function addPassingRows<Raw, T extends HasDecoder>(
  { mayRepeat }: Bucket<Raw, T>,
  postings: PostingsList<Raw, T>,
  count: number,
  raw: Raw,
  hits: Hits<T>,
): void {
  const { certainty, checks } = postings.layout
  const rows = checks.length === 0 ? undefined : filterRows(postings, raw, count)
  if (rows?.length !== 0) addHits(hits, { certainty, mayRepeat }, postings, count, rows)
}
