import type { Condition } from '@tocsin/contract'
import { isObject } from '../base/json.ts'

/** A condition whose value is `{list: fullname}`, and its path. */
export type NamedList = { list: string; path: string }

/** Lists the address lists that conditions name. */
export function listsIn(condition: Condition, path = ''): NamedList[] {
  if ('not' in condition) return listsIn(condition.not, `${path}.not`)
  if ('all' in condition) return condition.all.flatMap((part, at) => listsIn(part, `${path}.all.${at}`))
  if ('any' in condition) return condition.any.flatMap((part, at) => listsIn(part, `${path}.any.${at}`))
  if ('contains' in condition) return listsIn(condition.contains, `${path}.contains`)
  const list = listOf(condition.value)
  return list === undefined ? [] : [{ list, path: `${path}.value.list` }]
}

const namesByCondition = new WeakMap<Condition, readonly string[]>()
const noNames: readonly string[] = []

/** The names of the address lists in conditions, each once. */
export function listNames(condition: Condition | null | undefined): readonly string[] {
  if (!condition) return noNames
  const known = namesByCondition.get(condition)
  if (known) return known
  const found = [...new Set(listsIn(condition).map(({ list }) => list))]
  const names = found.length === 0 ? noNames : found
  namesByCondition.set(condition, names)
  return names
}

/**
 * Replaces each named list by its addresses. A list that is not found stays as it is, and a comparison with it never
 * holds, not even `nin`.
 */
export function fillLists(condition: Condition, find: (list: string) => string[] | undefined): Condition {
  if ('not' in condition) return { not: fillLists(condition.not, find) }
  if ('all' in condition) return { all: condition.all.map((part) => fillLists(part, find)) }
  if ('any' in condition) return { any: condition.any.map((part) => fillLists(part, find)) }
  if ('contains' in condition) return { ...condition, contains: fillLists(condition.contains, find) }
  if (condition.op !== 'in' && condition.op !== 'nin') return condition
  const list = listOf(condition.value)
  const addresses = list === undefined ? undefined : find(list)
  // All conditions that name the list share the array, so that its keys are computed once.
  return addresses ? { ...condition, value: addresses } : condition
}

function listOf(value: unknown): string | undefined {
  return isObject(value) && typeof value.list === 'string' ? value.list : undefined
}
