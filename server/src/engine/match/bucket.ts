import { addBound, removeBound } from './bounds.ts'
import type { Field, FieldKey } from './field.ts'
import { fingerprintOf, fingerprintOfBoth } from './fingerprint.ts'
import { KeyTable } from './key-table.ts'
import type { Plan } from './plan.ts'
import {
  addRow,
  type Certainty,
  type HasDecoder,
  isEmpty,
  type Layout,
  PostingsList,
  removeRow,
} from './postings-list.ts'

/**
 * Entries that share one way of lookup: with or without the second key part, and by one field or by none. One lookup
 * returns the bucket's hits for an item, however many contracts and wallets the entries name.
 */
export type Bucket<Raw, T extends HasDecoder> = {
  hasPart: boolean
  field: Field<Raw> | undefined
  mayRepeat: boolean
  /** What a hit on a single entry says. */
  certainty: Certainty
  /** The lengths of the keys of a prefix field: a lookup probes each of them. */
  prefixLengths: number[]
  /** A single entry wants most values. The table then stores the entry itself, because a postings list for each costs more memory. */
  table: KeyTable<T | PostingsList<Raw, T>>
}

/** The second key part and its fingerprint. Without a second part they are '' and 0. */
export type KeyPart = { text: string; fingerprint: number }
export const noPart: KeyPart = { text: '', fingerprint: 0 }

export function partOf(text: string | undefined): KeyPart {
  return text === undefined ? noPart : { text, fingerprint: fingerprintOf(text) }
}

export function findOrAddBucket<Raw, T extends HasDecoder>(
  buckets: Bucket<Raw, T>[],
  part: KeyPart,
  fieldKey: FieldKey<Raw> | undefined,
  { mayRepeat, plain: { certainty } }: Plan<Raw>,
): Bucket<Raw, T> {
  const hasPart = part !== noPart
  const hasSameTraits = (each: Bucket<Raw, T>) =>
    each.hasPart === hasPart && each.mayRepeat === mayRepeat && each.certainty === certainty
  const known = buckets.find((each) => each.field === fieldKey?.field && hasSameTraits(each))
  if (known) return known
  const traits = { hasPart, field: fieldKey?.field, mayRepeat, certainty }
  const bucket: Bucket<Raw, T> = { ...traits, prefixLengths: [], table: new KeyTable() }
  buckets.push(bucket)
  return bucket
}

/** One key has at most this many layouts. Entries with further layouts become candidates without row checks. */
const layoutsMax = 16

export function addToBucket<Raw, T extends HasDecoder>(
  { table, field, prefixLengths }: Bucket<Raw, T>,
  part: KeyPart,
  fieldKey: FieldKey<Raw> | undefined,
  { layout, plain, wanted }: Plan<Raw>,
  entry: T,
): void {
  const { fingerprint, text } = keyOf(part, fieldKey)
  const knownPosition = table.find(fingerprint, part.text, text)
  const stored = table.values[knownPosition]
  if (field?.is === 'startsWith' && !prefixLengths.includes(text.length)) prefixLengths.push(text.length)
  if (stored === undefined && typeof fieldKey?.key === 'string') {
    table.add(fingerprint, part.text, text, entry)
    return
  }
  const first =
    stored === undefined || stored instanceof PostingsList ? stored : makePostingsWithOneEntry(stored, plain)
  const bound = typeof fieldKey?.key === 'object' ? fieldKey.key : undefined
  const [postings, head] = findOrAddPostings(first, layout, plain, bound !== undefined)
  const wantedInRow = postings.layout === layout ? wanted : []
  if (bound) addBound(postings, { entry, wanted: [bound, ...wantedInRow] })
  else addRow(postings, postings.entries.length, { entry, wanted: wantedInRow })
  const position = knownPosition || table.add(fingerprint, part.text, text, head)
  table.values[position] = head
  if (bound) table.lowerMinimum(position, field?.is === 'atMost' ? -bound.order : bound.order)
}

function keyOf<Raw>(part: KeyPart, fieldKey: FieldKey<Raw> | undefined): { fingerprint: number; text: string } {
  if (typeof fieldKey?.key !== 'string') return { fingerprint: part.fingerprint, text: '' }
  return { fingerprint: fingerprintOfBoth(part.fingerprint, fingerprintOf(fieldKey.key)), text: fieldKey.key }
}

function makePostingsWithOneEntry<Raw, T extends HasDecoder>(entry: T, layout: Layout<Raw>): PostingsList<Raw, T> {
  const postings = new PostingsList<Raw, T>(layout, false, undefined)
  addRow(postings, 0, { entry, wanted: [] })
  return postings
}

/** Returns the postings list with this layout, and the head of the linked lists of this key. */
function findOrAddPostings<Raw, T extends HasDecoder>(
  first: PostingsList<Raw, T> | undefined,
  layout: Layout<Raw>,
  plain: Layout<Raw>,
  isSorted: boolean,
): [PostingsList<Raw, T>, PostingsList<Raw, T>] {
  let count = 0
  for (let postings = first; first && postings; postings = postings.next) {
    if (postings.layout === layout) return [postings, first]
    count++
  }
  if (count >= layoutsMax && layout !== plain) return findOrAddPostings(first, plain, plain, isSorted)
  const newHead = new PostingsList<Raw, T>(layout, isSorted, first)
  return [newHead, newHead]
}

export function removeFromBucket<Raw, T extends HasDecoder>(
  { table, field }: Bucket<Raw, T>,
  part: KeyPart,
  fieldKey: FieldKey<Raw> | undefined,
  entry: T,
): void {
  const { fingerprint, text } = keyOf(part, fieldKey)
  const position = table.find(fingerprint, part.text, text)
  const stored = table.values[position]
  if (stored instanceof PostingsList) {
    let postings: PostingsList<Raw, T> | undefined = stored
    while (postings && !removeFromPostings(postings, field, entry)) postings = postings.next
    const rest = dropEmptyLists(stored)
    if (rest) table.values[position] = rest
    else table.remove(position)
  } else if (stored === entry) table.remove(position)
}

function removeFromPostings<Raw, T extends HasDecoder>(
  from: PostingsList<Raw, T>,
  field: Field<Raw> | undefined,
  entry: T,
): boolean {
  if (field?.is === 'atLeast' || field?.is === 'atMost') return removeBound(from, field.is, entry)
  const at = from.entries.indexOf(entry)
  if (at >= 0) removeRow(from, at)
  return at >= 0
}

function dropEmptyLists<Raw, T extends HasDecoder>(
  postings: PostingsList<Raw, T> | undefined,
): PostingsList<Raw, T> | undefined {
  if (!postings) return undefined
  postings.next = dropEmptyLists(postings.next)
  return isEmpty(postings) ? postings.next : postings
}
