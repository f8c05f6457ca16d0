import type { Requirement } from '../conditions/index.ts'
import { chooseFieldKeys } from './choose-field-keys.ts'
import { type FieldKey, isValue } from './field.ts'
import type { IndexEntry } from './keys.ts'
import type { Certainty, Layout, WantedValue } from './postings-list.ts'

/** Where the index stores an entry, and what a hit there proves. */
export type Plan<Raw> = {
  /** The keys to store the entry under. `undefined` means every item; an empty list means that no item can match. */
  fieldKeys: readonly (FieldKey<Raw> | undefined)[]
  mayRepeat: boolean
  /** The remaining requirements that a row can check. `wanted` has one value for each check. */
  layout: Layout<Raw>
  /** The layout without checks: for a single entry under a key, and for keys with too many layouts. */
  plain: Layout<Raw>
  wanted: readonly WantedValue[]
}

/** Layouts by name. Entries with the same checks share a layout and so a postings list. */
export type Layouts<Raw> = Map<string, Layout<Raw>>

/** The early filter checks further requirements on the decoded item. */
const checksMax = 8

export function makePlan<Raw>(
  { requirements = [], requirementsSuffice = false, canCheckRest = false }: IndexEntry,
  toFieldKey: (requirement: Requirement) => FieldKey<Raw> | undefined,
  layouts: Layouts<Raw>,
): Plan<Raw> {
  const best = chooseFieldKeys(requirements, toFieldKey)
  const rest = requirements.filter((list) => list !== best?.list)
  const checks: Check<Raw>[] = []
  let isComplete = true
  for (const list of rest) {
    const check = toCheck(list, toFieldKey)
    if (check === 'undecidable' || checks.length === checksMax) isComplete = false
    else if (check !== 'always') checks.push(check)
  }
  const whole: Certainty = requirementsSuffice ? 'proven' : canCheckRest ? 'narrowed' : 'candidates'
  const certainty = isComplete ? whole : 'candidates'
  return {
    fieldKeys: best ? best.fieldKeys : [undefined],
    mayRepeat: best !== undefined && canRepeat(best.fieldKeys),
    layout: layoutOf(checks, certainty, layouts),
    plain: layoutOf([], checks.length === 0 ? certainty : 'candidates', layouts),
    wanted: checks.map(({ wanted }) => wanted),
  }
}

type Check<Raw> = { field: FieldKey<Raw>['field']; isNot: boolean; wanted: WantedValue }

/** A row cannot check alternatives. If no item can have the wanted value, its negation always holds. */
function toCheck<Raw>(
  list: readonly Requirement[],
  toFieldKey: (requirement: Requirement) => FieldKey<Raw> | undefined,
): Check<Raw> | 'always' | 'undecidable' {
  const [requirement] = list
  const fieldKey = requirement && list.length === 1 ? toFieldKey(requirement) : undefined
  if (!requirement || !fieldKey) return 'undecidable'
  const { isNot = false } = requirement
  if (fieldKey.key === undefined) return isNot ? 'always' : 'undecidable'
  return { field: fieldKey.field, isNot, wanted: fieldKey.key }
}

/** An item has one value in a field, so keys of the same value field hit at most once. */
function canRepeat<Raw>(fieldKeys: readonly FieldKey<Raw>[]): boolean {
  return (
    fieldKeys.length > 1 && !fieldKeys.every((fieldKey) => isValue(fieldKey) && fieldKey.field === fieldKeys[0]?.field)
  )
}

function layoutOf<Raw>(checks: readonly Check<Raw>[], certainty: Certainty, layouts: Layouts<Raw>): Layout<Raw> {
  const name = JSON.stringify([certainty, ...checks.map(({ field, isNot }) => [field.is, field.name, isNot])])
  const known = layouts.get(name)
  if (known) return known
  const layout = { name, checks: checks.map(({ field, isNot }) => ({ field, isNot })), certainty }
  layouts.set(name, layout)
  return layout
}
