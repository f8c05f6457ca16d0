import { countMet } from './bounds.ts'
import type { Bucket, KeyPart } from './bucket.ts'
import type { BoundField, ValueField } from './field.ts'
import { fingerprintOf, fingerprintOfBoth } from './fingerprint.ts'
import { addHit, addHits, type Hits } from './hits.ts'
import { type HasDecoder, PostingsList } from './postings-list.ts'
import type { PrefixField } from './prefix-field.ts'
import { filterRows } from './row-checks.ts'

/** Collects a bucket's hits for an item with one table lookup, or with one for each length of prefix. */
export function collectFromBucket<Raw, T extends HasDecoder>(
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
