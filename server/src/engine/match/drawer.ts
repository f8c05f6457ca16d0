import { addBound, removeBound } from './bounds.ts'
import type { Field, Placed } from './field.ts'
import { fingerprintOf, fingerprintOfBoth } from './fingerprint.ts'
import { KeyTable } from './key-table.ts'
import type { Plan } from './plan.ts'
import { addRow, type Decoded, isEmpty, type Layout, Posting, removeRow } from './posting.ts'

/**
 * Entries that are looked up in one way: by the second part of their keys or without it, and by a field or none. One
 * lookup finds what such a drawer has for an item, however many contracts and wallets its entries name.
 */
export type Drawer<Raw, T extends Decoded> = {
  hasPart: boolean
  field: Field<Raw> | undefined
  mayRepeat: boolean
  /** Of those who stand alone. */
  isProven: boolean
  /** Most values are wanted by one entry alone: a posting for each of a million would cost more than the entries. */
  table: KeyTable<T | Posting<Raw, T>>
}

/** The second part of keys, with its fingerprint: empty and 0 where there is none. */
export type Part = { text: string; print: number }
export const noPart: Part = { text: '', print: 0 }

export function partOf(text: string | undefined): Part {
  return text === undefined ? noPart : { text, print: fingerprintOf(text) }
}

/** Made when it is not there. */
export function drawerFor<Raw, T extends Decoded>(
  drawers: Drawer<Raw, T>[],
  part: Part,
  place: Placed<Raw> | undefined,
  { mayRepeat, plain: { isProven } }: Plan<Raw>,
): Drawer<Raw, T> {
  const hasPart = part !== noPart
  const isRight = (each: Drawer<Raw, T>) =>
    each.hasPart === hasPart && each.mayRepeat === mayRepeat && each.isProven === isProven
  const known = drawers.find((each) => each.field === place?.field && isRight(each))
  if (known) return known
  const drawer: Drawer<Raw, T> = { hasPart, field: place?.field, mayRepeat, isProven, table: new KeyTable() }
  drawers.push(drawer)
  return drawer
}

/** With too many ways of asking in one place, further ones are verified one by one, as if rows could not say them. */
const layoutsMost = 16

export function addToDrawer<Raw, T extends Decoded>(
  { table, field }: Drawer<Raw, T>,
  part: Part,
  place: Placed<Raw> | undefined,
  { layout, plain, wanted }: Plan<Raw>,
  entry: T,
): void {
  const { print, text } = keyOf(part, place)
  const found = table.find(print, part.text, text, 0)
  const held = table.held[found]
  if (held === undefined && field?.is === 'same') {
    table.add(print, part.text, text, entry)
    return
  }
  const first = held === undefined || held instanceof Posting ? held : postingOf(held, plain)
  const bound = typeof place?.key === 'object' ? place.key : undefined
  const [posting, head] = postingFor(first, layout, plain, bound !== undefined)
  const asked = posting.layout === layout ? wanted : []
  if (bound) addBound(posting, { entry, wanted: [bound, ...asked] })
  else addRow(posting, posting.entries.length, { entry, wanted: asked })
  const at = found || table.add(print, part.text, text, head)
  table.held[at] = head
  if (bound) table.openGate(at, field?.is === 'atMost' ? -bound.order : bound.order)
}

function keyOf<Raw>(part: Part, place: Placed<Raw> | undefined): { print: number; text: string } {
  if (typeof place?.key !== 'string') return { print: part.print, text: '' }
  return { print: fingerprintOfBoth(part.print, fingerprintOf(place.key)), text: place.key }
}

function postingOf<Raw, T extends Decoded>(entry: T, layout: Layout<Raw>): Posting<Raw, T> {
  const posting = new Posting<Raw, T>(layout, false, undefined)
  addRow(posting, 0, { entry, wanted: [] })
  return posting
}

/** The posting with this layout, and the first of all. */
function postingFor<Raw, T extends Decoded>(
  first: Posting<Raw, T> | undefined,
  layout: Layout<Raw>,
  plain: Layout<Raw>,
  isSorted: boolean,
): [Posting<Raw, T>, Posting<Raw, T>] {
  let count = 0
  for (let posting = first; first && posting; posting = posting.next) {
    if (posting.layout === layout) return [posting, first]
    count++
  }
  if (count >= layoutsMost && layout !== plain) return postingFor(first, plain, plain, isSorted)
  const made = new Posting<Raw, T>(layout, isSorted, first)
  return [made, made]
}

export function removeFromDrawer<Raw, T extends Decoded>(
  { table, field }: Drawer<Raw, T>,
  part: Part,
  place: Placed<Raw> | undefined,
  entry: T,
): void {
  const { print, text } = keyOf(part, place)
  const at = table.find(print, part.text, text, 0)
  const held = table.held[at]
  if (held instanceof Posting) {
    let posting: Posting<Raw, T> | undefined = held
    while (posting && !removeFromPosting(posting, field, entry)) posting = posting.next
    const left = withoutEmpty(held)
    if (left) table.held[at] = left
    else table.remove(at)
  } else if (held === entry) table.remove(at)
}

function removeFromPosting<Raw, T extends Decoded>(
  from: Posting<Raw, T>,
  field: Field<Raw> | undefined,
  entry: T,
): boolean {
  if (field && field.is !== 'same') return removeBound(from, field.is, entry)
  const at = from.entries.indexOf(entry)
  if (at >= 0) removeRow(from, at)
  return at >= 0
}

function withoutEmpty<Raw, T extends Decoded>(posting: Posting<Raw, T> | undefined): Posting<Raw, T> | undefined {
  if (!posting) return undefined
  posting.next = withoutEmpty(posting.next)
  return isEmpty(posting) ? posting.next : posting
}
