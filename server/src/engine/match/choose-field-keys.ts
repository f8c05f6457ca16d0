import type { Requirement } from '../conditions/index.ts'
import { type FieldKey, isValue } from './field.ts'

type ToFieldKey<Raw> = (requirement: Requirement) => FieldKey<Raw> | undefined

/**
 * Chooses the requirement list that the index stores an entry under: once for each alternative in the list. A list of
 * values is better than a list with bounds or prefixes, then a shorter list is better, then a list with more selective values (an
 * address is more selective than a flag). The result is undefined if the raw item can answer none of the lists.
 */
export function chooseFieldKeys<Raw>(
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
