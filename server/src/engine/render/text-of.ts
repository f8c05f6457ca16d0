import { readDecimal, showDecimal } from '../base/decimals.ts'
import { type Budget, spendOn, spendOnLetters } from './budget.ts'

/** Shows a value as text: a missing value is empty, a number is never in the form 1e+21, a list shows its items, an object is JSON. */
export function textOf(value: unknown, budget: Budget): string {
  spendOn(budget, value)
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return textOfNumber(value, budget)
  if (Array.isArray(value)) return value.map((item) => textOf(item, budget)).join(', ')
  if (typeof value !== 'object') return String(value)
  const text = JSON.stringify(value)
  spendOn(budget, text)
  return text
}

function textOfNumber(value: number | bigint, budget: Budget): string {
  const decimal = readDecimal(value)
  const text = decimal ? showDecimal(decimal) : String(value)
  spendOnLetters(budget, text)
  return text
}
