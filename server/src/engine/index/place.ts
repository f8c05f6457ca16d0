import type { Requirement } from '../conditions/index.ts'

/** A field of raw items by which entries are looked up, and what one entry wants there. */
export type Placed<Raw> = PlacedValue<Raw> | PlacedBound<Raw>
export type PlacedValue<Raw> = { is: 'same' } & Place<Raw, string>
export type PlacedBound<Raw> = { is: 'atLeast' | 'atMost' } & Place<Raw, number>

type Place<Raw, Key> = {
  /** The same for all entries that read the same thing to the same end. */
  field: string
  read(raw: Raw): Key | undefined
  /** Undefined when no item can hold it. */
  key: Key | undefined
}

/**
 * Where an entry is kept: under all that one of its lists names, or undefined when it must be looked at for every item.
 * Of several lists one of values before one with bounds, the shortest of those, and among equals the one whose values
 * are longest: an address tells more than a flag.
 */
export function choosePlaces<Raw>(
  requirements: readonly (readonly Requirement[])[],
  placeOf: (requirement: Requirement) => Placed<Raw> | undefined,
): Placed<Raw>[] | undefined {
  let best: Placed<Raw>[] | undefined
  for (const list of requirements) {
    const places = placeAll(list, placeOf)
    if (places && (!best || isBetter(places, best))) best = places
  }
  return best
}

function placeAll<Raw>(
  list: readonly Requirement[],
  placeOf: (requirement: Requirement) => Placed<Raw> | undefined,
): Placed<Raw>[] | undefined {
  const places = new Map<string, Placed<Raw>>()
  for (const requirement of list) {
    const place = placeOf(requirement)
    if (!place) return undefined
    if (place.key !== undefined) places.set(`${place.field} ${place.key}`, place)
  }
  return [...places.values()]
}

function isBetter<Raw>(places: Placed<Raw>[], best: Placed<Raw>[]): boolean {
  if (hasBound(places) !== hasBound(best)) return hasBound(best)
  if (places.length !== best.length) return places.length < best.length
  return shortestKey(places) > shortestKey(best)
}

function hasBound<Raw>(places: Placed<Raw>[]): boolean {
  return places.some(({ is }) => is !== 'same')
}

function shortestKey<Raw>(places: Placed<Raw>[]): number {
  return Math.min(...places.map(({ key }) => (typeof key === 'string' ? key.length : 0)))
}
