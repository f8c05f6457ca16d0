import type { Requirement } from '../conditions/index.ts'
import { isValue, type Placed } from './field.ts'
import type { IndexEntry } from './keys.ts'
import { choosePlaces } from './place.ts'
import type { Layout, Wanted } from './posting.ts'

/** How an entry is kept, and what being found there says. */
export type Plan<Raw> = {
  /** One at least; undefined is that of whoever wants every item. None at all: nothing can ever concern the entry. */
  places: readonly (Placed<Raw> | undefined)[]
  mayRepeat: boolean
  /** What is asked besides, as far as rows can say it; one value for each of its tests. */
  layout: Layout<Raw>
  /** Without tests: what being found says when none of them was looked at. */
  plain: Layout<Raw>
  wanted: readonly Wanted[]
}

/** Entries share layouts, so that those who ask for the same stand in one posting. */
export type Layouts<Raw> = Map<string, Layout<Raw>>

/** More are left to be verified on the decoded item. */
const testsMost = 8

export function makePlan<Raw>(
  { requirements = [], requirementsSuffice = false }: IndexEntry,
  placeOf: (requirement: Requirement) => Placed<Raw> | undefined,
  layouts: Layouts<Raw>,
): Plan<Raw> {
  const best = choosePlaces(requirements, placeOf)
  const rest = requirements.filter((list) => list !== best?.list)
  const tests: Test<Raw>[] = []
  let isWhole = true
  for (const list of rest) {
    const test = testOf(list, placeOf)
    if (test === 'untold' || tests.length === testsMost) isWhole = false
    else if (test !== 'always') tests.push(test)
  }
  const isProven = requirementsSuffice && isWhole
  return {
    places: best ? best.places : [undefined],
    mayRepeat: best !== undefined && canRepeat(best.places),
    layout: layoutOf(tests, isProven, layouts),
    plain: layoutOf([], isProven && tests.length === 0, layouts),
    wanted: tests.map(({ wanted }) => wanted),
  }
}

type Test<Raw> = { field: Placed<Raw>['field']; isNot: boolean; wanted: Wanted }

/** Of alternatives a row says nothing. What no item can have, each item has not; without that it would be a place. */
function testOf<Raw>(
  list: readonly Requirement[],
  placeOf: (requirement: Requirement) => Placed<Raw> | undefined,
): Test<Raw> | 'always' | 'untold' {
  const [requirement] = list
  const place = requirement && list.length === 1 ? placeOf(requirement) : undefined
  if (!requirement || !place) return 'untold'
  const { isNot = false } = requirement
  if (place.key === undefined) return isNot ? 'always' : 'untold'
  return { field: place.field, isNot, wanted: place.key }
}

/** Of one field an item has one value only. */
function canRepeat<Raw>(places: readonly Placed<Raw>[]): boolean {
  return places.length > 1 && !places.every((place) => isValue(place) && place.field === places[0]?.field)
}

function layoutOf<Raw>(tests: readonly Test<Raw>[], isProven: boolean, layouts: Layouts<Raw>): Layout<Raw> {
  const name = JSON.stringify([isProven, ...tests.map(({ field, isNot }) => [field.is, field.name, isNot])])
  const known = layouts.get(name)
  if (known) return known
  const layout = { name, tests: tests.map(({ field, isNot }) => ({ field, isNot })), isProven }
  layouts.set(name, layout)
  return layout
}
