import type { Requirement } from '../conditions/index.ts'
import { isValue, type Placed } from './field.ts'

type PlaceOf<Raw> = (requirement: Requirement) => Placed<Raw> | undefined

/**
 * Where an entry is kept: under all that one of its lists names. Of several lists one of values before one with bounds,
 * the shortest of those, and among equals the one whose values say most: an address tells more than a flag. Undefined
 * when no list can be looked up by.
 */
export function choosePlaces<Raw>(
  lists: readonly (readonly Requirement[])[],
  placeOf: PlaceOf<Raw>,
): { list: readonly Requirement[]; places: Placed<Raw>[] } | undefined {
  let best: { list: readonly Requirement[]; places: Placed<Raw>[] } | undefined
  for (const list of lists) {
    const places = placeAll(list, placeOf)
    if (places && (!best || isBetter(places, best.places))) best = { list, places }
  }
  return best
}

function placeAll<Raw>(list: readonly Requirement[], placeOf: PlaceOf<Raw>): Placed<Raw>[] | undefined {
  const places: Placed<Raw>[] = []
  for (const requirement of list) {
    const place = requirement.isNot ? undefined : placeOf(requirement)
    if (!place) return undefined
    if (place.key !== undefined) places.push(place)
  }
  return places.length > 1 ? withoutRepeats(places) : places
}

function withoutRepeats<Raw>(places: Placed<Raw>[]): Placed<Raw>[] {
  const seen = new Map<unknown, Set<unknown>>()
  return places.filter(({ field, key }) => {
    const keys = seen.get(field) ?? new Set()
    seen.set(field, keys)
    return !keys.has(key) && keys.add(key)
  })
}

function isBetter<Raw>(places: Placed<Raw>[], best: Placed<Raw>[]): boolean {
  if (places.every(isValue) !== best.every(isValue)) return places.every(isValue)
  if (places.length !== best.length) return places.length < best.length
  return tellingOf(places) > tellingOf(best)
}

/** By the shortest of the keys, zeros in front of a word not counted: those of a flag are as many as make a word. */
function tellingOf<Raw>(places: Placed<Raw>[]): number {
  return Math.min(...places.map(({ key }) => (typeof key === 'string' ? key.replace(/^0x0*/, '').length : 0)))
}
