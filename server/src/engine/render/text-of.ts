import { readDecimal, showDecimal } from '../base/decimals.ts'
import { type Budget, spendOn } from './budget.ts'

/** A value as it is shown: nothing for what is missing, numbers never as 1e+21, a list by its items, an object as JSON. */
export function textOf(value: unknown, budget: Budget): string {
  spendOn(budget, value)
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return textOfNumber(value)
  if (Array.isArray(value)) return value.map((item) => textOf(item, budget)).join(', ')
  if (typeof value !== 'object') return String(value)
  const text = JSON.stringify(value)
  spendOn(budget, text)
  return text
}

function textOfNumber(value: number | bigint): string {
  const decimal = readDecimal(value)
  return decimal ? showDecimal(decimal) : String(value)
}
