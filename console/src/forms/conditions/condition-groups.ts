import { isObject } from '../json.ts'

/**
 * Conditions as the editor shows them: groups and rows. The editor changes one part of the JSON and leaves the others as
 * they are, so it can show every form of condition and loses none.
 */
export type ConditionPart = Record<string, unknown>
export type Join = 'all' | 'any' | 'none' | 'notAll'
/** The word between two parts. A group that must not hold is joined as its inner one. */
export const joinWord: Record<Join, string> = { all: 'and', any: 'or', none: 'or', notAll: 'and' }
/** Parts of conditions that are joined. Each has the path at which the service reports its issues. */
export type Group = { join: Join; parts: { condition: ConditionPart; path: string }[] }

/** A condition as a group; undefined if it is a comparison or `contains`. */
export function groupOf(condition: ConditionPart, path: string): Group | undefined {
  const keys = Object.keys(condition)
  if (keys.length === 0) return { join: 'all', parts: [] }
  if (keys.length > 1) return undefined
  const { all, any, not } = condition
  if (isParts(all)) return { join: 'all', parts: partsAt(all, `${path}.all`) }
  if (isParts(any)) return { join: 'any', parts: partsAt(any, `${path}.any`) }
  if (!isObject(not)) return undefined
  const inner = Object.keys(not).length === 1 ? not : {}
  if (isParts(inner.any)) return { join: 'none', parts: partsAt(inner.any, `${path}.not.any`) }
  if (isParts(inner.all)) return { join: 'notAll', parts: partsAt(inner.all, `${path}.not.all`) }
  return { join: 'none', parts: [{ condition: not, path: `${path}.not` }] }
}

/** The outer group of the conditions. A single row is a group of one. */
export function rootGroupOf(condition: ConditionPart | null | undefined, path: string): Group {
  const root = condition ?? {}
  return groupOf(root, path) ?? { join: 'all', parts: [{ condition: root, path }] }
}

/** The condition of a group; undefined if it has no parts. */
export function conditionOf(join: Join, parts: ConditionPart[]): ConditionPart | undefined {
  if (parts.length === 0) return undefined
  switch (join) {
    case 'all':
      return { all: parts }
    case 'any':
      return { any: parts }
    case 'none':
      return { not: { any: parts } }
    case 'notAll':
      return { not: { all: parts } }
  }
}

/** All comparisons, also inside groups. Those inside `contains` are left out, because their params are of an element. */
export function comparisonsIn(condition: ConditionPart, path: string): Group['parts'] {
  const group = groupOf(condition, path)
  if (group) return group.parts.flatMap((part) => comparisonsIn(part.condition, part.path))
  return 'contains' in condition ? [] : [{ condition, path }]
}

function isParts(value: unknown): value is ConditionPart[] {
  return Array.isArray(value) && value.every(isObject)
}

function partsAt(parts: ConditionPart[], path: string): Group['parts'] {
  return parts.map((condition, at) => ({ condition, path: `${path}.${at}` }))
}
