import { addBound, countMet } from './bounds.ts'
import { addAt, type Decoded } from './entry-list.ts'
import type { Placed } from './field.ts'
import { type Found, give, giveFirst } from './found.ts'
import {
  type BoundHolding,
  type Holding,
  isEmpty,
  isFor,
  isMarked,
  type Kind,
  makeHolding,
  mark,
  removeFromHolding,
  Several,
  type ValueHolding,
} from './holding.ts'

/** The entries with the same keys: the first of their holdings, from which the others are reached. */
export type Holdings<Raw, T extends Decoded> = Holding<Raw, T> | undefined

/** One lookup for each holding, however many entries it has. */
export function collectFrom<Raw, T extends Decoded>(
  first: Holding<Raw, T>,
  hasShape: (raw: Raw, shape: number) => boolean,
  raw: Raw,
  found: Found<T>,
): void {
  for (let holding: Holdings<Raw, T> = first; holding; holding = holding.next) {
    if (!hasShape(raw, holding.shape)) continue
    if (holding.by === 'bound') collectByBound(holding, raw, found)
    else if (holding.by === 'value') collectByValue(holding, raw, found)
    else giveFirst(found, holding, holding.list, holding.list.entries.length)
  }
}

function collectByBound<Raw, T extends Decoded>(holding: BoundHolding<Raw, T>, raw: Raw, found: Found<T>): void {
  const { field } = holding
  const order = field.read(raw)
  if (order === undefined) return
  const count = countMet(holding, field.is, order, () => field.readExact(raw))
  if (count > 0) giveFirst(found, holding, holding.list, count)
}

function collectByValue<Raw, T extends Decoded>(holding: ValueHolding<Raw, T>, raw: Raw, found: Found<T>): void {
  const { read, keyFrom } = holding.field
  const value = read(raw)
  if (value === undefined || !isMarked(holding, value)) return
  const same = holding.byValue.get(keyFrom === 0 ? value : value.slice(keyFrom))
  if (same instanceof Several) for (const entry of same.entries) give(found, holding, entry, entry.decoder)
  else if (same !== undefined) give(found, holding, same, same.decoder)
}

/** Without places the entry wants every item. */
export function addToHoldings<Raw, T extends Decoded>(
  first: Holdings<Raw, T>,
  kind: Kind,
  places: readonly Placed<Raw>[] | undefined,
  entry: T,
): Holdings<Raw, T> {
  let head = first
  for (const place of places ?? [undefined]) {
    const holding = holdingFor(head, kind, place) ?? makeHolding(kind, place, head)
    if (holding.next === head) head = holding
    addToHolding(holding, place, entry)
  }
  return head
}

function holdingFor<Raw, T extends Decoded>(
  first: Holdings<Raw, T>,
  kind: Kind,
  place: Placed<Raw> | undefined,
): Holdings<Raw, T> {
  for (let holding = first; holding; holding = holding.next) if (isFor(holding, kind, place)) return holding
  return undefined
}

function addToHolding<Raw, T extends Decoded>(
  holding: Holding<Raw, T>,
  place: Placed<Raw> | undefined,
  entry: T,
): void {
  const key = place?.key
  if (holding.by === 'nothing') addAt(holding.list, holding.list.entries.length, entry)
  else if (holding.by === 'bound' && typeof key === 'object') addBound(holding, key, entry)
  else if (holding.by === 'value' && typeof key === 'string') addValue(holding, key, entry)
}

function addValue<Raw, T extends Decoded>(holding: ValueHolding<Raw, T>, key: string, entry: T): void {
  const { byValue } = holding
  mark(holding, key)
  const same = byValue.get(key)
  if (same instanceof Several) same.entries.push(entry)
  else byValue.set(key, same === undefined ? entry : new Several(same, entry))
}

export function removeFromHoldings<Raw, T extends Decoded>(
  first: Holdings<Raw, T>,
  kind: Kind,
  places: readonly Placed<Raw>[] | undefined,
  entry: T,
): Holdings<Raw, T> {
  for (const place of places ?? [undefined]) {
    const holding = holdingFor(first, kind, place)
    if (holding) removeFromHolding(holding, place, entry)
  }
  return withoutEmpty(first)
}

function withoutEmpty<Raw, T extends Decoded>(first: Holdings<Raw, T>): Holdings<Raw, T> {
  const left: Holding<Raw, T>[] = []
  for (let holding = first; holding; holding = holding.next) if (!isEmpty(holding)) left.push(holding)
  for (const [at, holding] of left.entries()) holding.next = left[at + 1]
  return left[0]
}
