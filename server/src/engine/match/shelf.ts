import { collectFrom } from './collect.ts'
import { addToDrawer, type Drawer, drawerFor, noPart, type Part, partOf, removeFromDrawer } from './drawer.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Found } from './found.ts'
import { KeyTable } from './key-table.ts'
import type { Plan } from './plan.ts'
import type { Decoded } from './posting.ts'

/** What an entry's keys are looked up by; without a part it is the wildcard. */
export type Parts = {
  /** Which many entries share. */
  first?: string
  /** Which tells more. */
  second?: string
  /** What else the keys ask, as a number. */
  shape: number
}

/** How an item is looked up. */
export type Lookup<Raw> = {
  /** What stands there in the item, or all that may; asked only where there is something to find. */
  firstOf(raw: Raw): string | readonly string[] | undefined
  secondOf(raw: Raw): string | undefined
  /** Whether it concerns entries of this shape, and all shapes of which that is so. */
  hasShape(raw: Raw, shape: number): boolean
  shapesOf(raw: Raw): readonly number[]
}

/** Entries by the first part of their keys, by their shape, and by how they are looked up. */
export type Shelf<Raw, T extends Decoded> = {
  any: Shapes<Raw, T>
  named: KeyTable<Shapes<Raw, T>>
}
type Shapes<Raw, T extends Decoded> = Map<number, Drawer<Raw, T>[]>

/** So many are asked one by one; mostly there is one. */
const fewShapes = 4

export function makeShelf<Raw, T extends Decoded>(): Shelf<Raw, T> {
  return { any: new Map(), named: new KeyTable() }
}

export function addToShelf<Raw, T extends Decoded>(
  { any, named }: Shelf<Raw, T>,
  { first, second, shape }: Parts,
  plan: Plan<Raw>,
  entry: T,
): void {
  const shapes = first === undefined ? any : (shapesAt(named, first) ?? addShapes(named, first))
  const drawers = shapes.get(shape) ?? []
  shapes.set(shape, drawers)
  const part = partOf(second)
  for (const place of plan.places) addToDrawer(drawerFor(drawers, part, place, plan), part, place, plan, entry)
}

/** Of what is then empty nothing is left. */
export function removeFromShelf<Raw, T extends Decoded>(
  { any, named }: Shelf<Raw, T>,
  { first, second, shape }: Parts,
  plan: Plan<Raw>,
  entry: T,
): void {
  const shapes = first === undefined ? any : shapesAt(named, first)
  const drawers = shapes?.get(shape)
  if (!shapes || !drawers) return
  const part = partOf(second)
  for (const place of plan.places) removeFromDrawer(drawerFor(drawers, part, place, plan), part, place, entry)
  const left = drawers.filter(({ table }) => table.size > 0)
  if (left.length > 0) shapes.set(shape, left)
  else shapes.delete(shape)
  if (shapes.size === 0 && first !== undefined) named.remove(named.find(fingerprintOf(first), first, '', 0))
}

function shapesAt<Raw, T extends Decoded>(named: KeyTable<Shapes<Raw, T>>, first: string): Shapes<Raw, T> | undefined {
  return named.held[named.find(fingerprintOf(first), first, '', 0)]
}

function addShapes<Raw, T extends Decoded>(named: KeyTable<Shapes<Raw, T>>, first: string): Shapes<Raw, T> {
  const shapes: Shapes<Raw, T> = new Map()
  named.add(fingerprintOf(first), first, '', shapes)
  return shapes
}

export function collect<Raw, T extends Decoded>(
  { any, named }: Shelf<Raw, T>,
  lookup: Lookup<Raw>,
  raw: Raw,
  found: Found<T>,
): void {
  if (any.size > 0) collectShapes(any, lookup, raw, found)
  const first = named.size > 0 ? lookup.firstOf(raw) : undefined
  if (typeof first === 'string') collectNamed(named, first, lookup, raw, found)
  else if (first) for (const each of first) collectNamed(named, each, lookup, raw, found)
}

function collectNamed<Raw, T extends Decoded>(
  named: KeyTable<Shapes<Raw, T>>,
  first: string,
  lookup: Lookup<Raw>,
  raw: Raw,
  found: Found<T>,
): void {
  const shapes = shapesAt(named, first)
  if (shapes) collectShapes(shapes, lookup, raw, found)
}

function collectShapes<Raw, T extends Decoded>(
  shapes: Shapes<Raw, T>,
  lookup: Lookup<Raw>,
  raw: Raw,
  found: Found<T>,
): void {
  if (shapes.size > fewShapes) {
    for (const shape of lookup.shapesOf(raw)) collectDrawers(shapes.get(shape) ?? [], lookup, raw, found)
    return
  }
  for (const [shape, drawers] of shapes) if (lookup.hasShape(raw, shape)) collectDrawers(drawers, lookup, raw, found)
}

function collectDrawers<Raw, T extends Decoded>(
  drawers: readonly Drawer<Raw, T>[],
  lookup: Lookup<Raw>,
  raw: Raw,
  found: Found<T>,
): void {
  let part: Part | undefined
  for (const drawer of drawers) {
    if (drawer.hasPart) part ??= partOf(lookup.secondOf(raw))
    collectFrom(drawer, drawer.hasPart ? (part ?? noPart) : noPart, raw, found)
  }
}
