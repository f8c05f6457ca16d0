import { ops } from '../condition-ops.ts'
import { isObject } from '../json.ts'
import { type ConditionPart, groupOf, type Join } from './condition-groups.ts'

/** A condition as a sentence: “amount is at least 1000 and (from is 0x12 or to is 0x12)”. */
export function conditionWords(condition: ConditionPart): string {
  return wordsOf(condition, false)
}

const between: Record<Join, string> = { all: ' and ', any: ' or ', none: ' or ', notAll: ' and ' }

function wordsOf(condition: ConditionPart, isInside: boolean): string {
  const group = groupOf(condition, '')
  if (!group) return 'contains' in condition ? containsWords(condition) : comparisonWords(condition)
  const { join, parts } = group
  const words = parts.map((part) => wordsOf(part.condition, parts.length > 1)).join(between[join])
  if (join === 'none' || join === 'notAll') return `not (${words})`
  return isInside && parts.length > 1 ? `(${words})` : words
}

function containsWords({ param, contains }: ConditionPart): string {
  return `${param} has an element for which ${isObject(contains) ? wordsOf(contains, false) : 'anything holds'}`
}

function comparisonWords({ param, op, value }: ConditionPart): string {
  const label = ops.find((each) => each.value === op)?.label ?? op
  return `${param} ${label} ${valueWords(value)}`
}

function valueWords(value: unknown): string {
  if (value === null || value === '') return 'empty'
  if (Array.isArray(value)) return value.map(valueWords).join(', ')
  if (!isObject(value)) return String(value)
  if ('list' in value) return `the address list ${value.list}`
  if ('token' in value) return `${value.amount} of the token ${value.token}`
  return `${value.amount} (with ${value.decimals} decimals)`
}
