import type { Requirement } from '../conditions/requirements.ts'
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

type ToFieldKey<Raw> = (requirement: Requirement) => FieldKey<Raw> | undefined

/**
 * Chooses the requirement list that the index stores an entry under: once for each alternative in the list. A list of
 * values is better than a list with bounds or prefixes, then a shorter list is better, then a list with more selective values (an
 * address is more selective than a flag). The result is undefined if the raw item can answer none of the lists.
 */
function chooseFieldKeys<Raw>(
  lists: readonly (readonly Requirement[])[],
  toFieldKey: ToFieldKey<Raw>,
): { list: readonly Requirement[]; fieldKeys: FieldKey<Raw>[] } | undefined {
  let best: { list: readonly Requirement[]; fieldKeys: FieldKey<Raw>[] } | undefined
  for (const list of lists) {
    const fieldKeys = toFieldKeys(list, toFieldKey)
    if (fieldKeys && (!best || isBetter(fieldKeys, best.fieldKeys))) best = { list, fieldKeys }
  }
  return best
}

/** A lookup costs one probe for each length of prefix that entries want. Rows check longer ones. */
const prefixMax = 64

function isLongPrefix<Raw>({ field, key }: FieldKey<Raw>): boolean {
  return field.is === 'startsWith' && typeof key === 'string' && key.length > prefixMax
}

function toFieldKeys<Raw>(list: readonly Requirement[], toFieldKey: ToFieldKey<Raw>): FieldKey<Raw>[] | undefined {
  const fieldKeys: FieldKey<Raw>[] = []
  for (const requirement of list) {
    const fieldKey = requirement.isNot ? undefined : toFieldKey(requirement)
    if (!fieldKey) return undefined
    if (isLongPrefix(fieldKey)) return undefined
    if (fieldKey.key !== undefined) fieldKeys.push(fieldKey)
  }
  return fieldKeys.length > 1 ? removeDuplicates(fieldKeys) : fieldKeys
}

function removeDuplicates<Raw>(fieldKeys: FieldKey<Raw>[]): FieldKey<Raw>[] {
  const keysByField = new Map<unknown, Set<unknown>>()
  return fieldKeys.filter(({ field, key }) => {
    const keys = keysByField.get(field) ?? new Set()
    keysByField.set(field, keys)
    return !keys.has(key) && keys.add(key)
  })
}

function isBetter<Raw>(fieldKeys: FieldKey<Raw>[], best: FieldKey<Raw>[]): boolean {
  if (fieldKeys.every(isValue) !== best.every(isValue)) return fieldKeys.every(isValue)
  if (fieldKeys.length !== best.length) return fieldKeys.length < best.length
  return selectivityOf(fieldKeys) > selectivityOf(best)
}

/** The length of the shortest key without its leading zeros: a flag is padded with zeros to a whole word. */
function selectivityOf<Raw>(fieldKeys: FieldKey<Raw>[]): number {
  return Math.min(...fieldKeys.map(({ key }) => (typeof key === 'string' ? key.replace(/^0*/, '').length : 0)))
}
