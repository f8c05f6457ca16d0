import { groupDigits } from '@tocsin/contract'
import { ops } from '../forms/condition-ops.ts'
import { type ConditionPart, groupOf, joinWord } from '../forms/conditions/condition-groups.ts'
import { isObject } from '../forms/json.ts'

export type ConditionWords = {
  /** The inputs that a subscription sets. Without them a placeholder is shown by its name. */
  inputs?: Record<string, unknown> | undefined
  /** The currency of the network. Only amounts of `source.value` are in it: other amounts with 18 decimals are tokens. */
  currency?: string | undefined
}

/** A condition as a sentence: “amount is at least 1,000 and (from is 0x12 or to is 0x12)”. */
export function conditionWords(condition: ConditionPart, words: ConditionWords = {}): string {
  return wordsOf(condition, false, words)
}

/** The same inside a sentence: alternatives are in parentheses. */
export function innerConditionWords(condition: ConditionPart, words: ConditionWords): string {
  return wordsOf(condition, true, words)
}

function wordsOf(condition: ConditionPart, isInside: boolean, words: ConditionWords): string {
  const group = groupOf(condition, '')
  if (!group) return 'contains' in condition ? containsWords(condition, words) : comparisonWords(condition, words)
  const { join, parts } = group
  const text = parts.map((part) => wordsOf(part.condition, parts.length > 1, words)).join(` ${joinWord[join]} `)
  if (join === 'none' || join === 'notAll') return `not (${text})`
  return isInside && parts.length > 1 ? `(${text})` : text
}

function containsWords({ param, contains }: ConditionPart, words: ConditionWords): string {
  const element = isObject(contains) ? wordsOf(contains, false, words) : 'anything holds'
  return `${paramWords(param)} has an element for which ${element}`
}

function comparisonWords({ param, op, value }: ConditionPart, words: ConditionWords): string {
  const label = ops.find((each) => each.value === op)?.label ?? op
  return `${paramWords(param)} ${label} ${valueWords(value, words, param)}`
}

/** `source.params.value` → `value`. The results of a provider keep its name. */
function paramWords(param: unknown): string {
  return String(param).replace(/^(?:source\.(?:params\.|args\.|data\.)?|inputs\.|providers\.)/, '')
}

export function valueWords(value: unknown, words: ConditionWords, param?: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty'
  if (Array.isArray(value)) return listWords(value, words)
  if (!isObject(value)) return scalarWords(value, words)
  if ('list' in value) return `the address list ${value.list}`
  if ('path' in value) return fieldWords(value)
  const amount = scalarWords(value.amount, words)
  if (!('token' in value) && !('decimals' in value))
    return words.currency && param === 'source.value' ? `${amount} ${words.currency}` : `${amount} tokens`
  if ('token' in value) return `${amount} ${value.token === 'native' ? (words.currency ?? 'native') : value.token}`
  return value.decimals === 18 && words.currency && param === 'source.value'
    ? `${amount} ${words.currency}`
    : `${amount} (${value.decimals} decimals)`
}

/** `{path: "providers.supply", times: "0.98", plus: "5"}` → “0.98 × supply + 5”. */
function fieldWords({ path, times, plus }: Record<string, unknown>): string {
  const isGiven = (given: unknown) => given !== undefined && given !== ''
  const product = isGiven(times) ? `${groupDigits(String(times))} × ${paramWords(path)}` : paramWords(path)
  if (!isGiven(plus)) return product
  const isLess = String(plus).startsWith('-')
  return `${product} ${isLess ? '−' : '+'} ${groupDigits(String(plus).replace(/^[+-]/, ''))}`
}

const listedMax = 3

function listWords(values: unknown[], words: ConditionWords): string {
  const listed = values.slice(0, listedMax).map((one) => valueWords(one, words))
  const more = values.length - listed.length
  return more > 0 ? `${listed.join(', ')} and ${groupDigits(String(more))} more` : listed.join(', ')
}

const inputPattern = /^\{\{\s*inputs\.([^{}]+?)\s*\}\}$/

/** True for the placeholder of an input, such as `{{inputs.limit}}`. */
export function isInput(value: unknown): value is string {
  return typeof value === 'string' && inputPattern.test(value)
}

/** A placeholder becomes the input of the subscription, else “the chosen limit”. */
export function scalarWords(value: unknown, words: ConditionWords): string {
  const name = isInput(value) ? inputPattern.exec(value)?.[1] : undefined
  if (name === undefined) return groupDigits(String(value))
  const input = words.inputs?.[name]
  return input === undefined ? `the chosen ${name}` : valueWords(input, { currency: words.currency })
}
