import type { Condition } from '@tocsin/contract'
import { compareDecimals, readDecimal, shift, showDecimal } from '../base/decimals.ts'
import { spendOnText } from './budget.ts'
import { compileLinearRegex } from './linear-regex.ts'

export type Comparison = Extract<Condition, { op: string }>
type Test = (value: unknown) => boolean

const never: Test = () => false

/**
 * Compiles one comparison. `wanted` is in the unit of the field. If the wanted value is missing (no such input, an invalid expression), it is never true, for any
 * op: a condition must not hold because a part of it is missing.
 */
export function compileComparison(op: Comparison['op'], wanted: unknown): Test {
  if (wanted === undefined) return never
  if (op === 'startsWith') return startsWith(wanted)
  if (op === 'matches') return matches(wanted)
  if (op === 'eq' || op === 'ne') return isAmong(keysOf([wanted]), op === 'eq')
  if (op === 'in' || op === 'nin') return Array.isArray(wanted) ? isAmong(sharedKeysOf(wanted), op === 'in') : never
  return compareOrder(op, wanted)
}

/** Costs one lookup for a list of any length. */
function isAmong(keys: ReadonlySet<string>, isWanted: boolean): Test {
  const [only] = keys
  if (only !== undefined && keys.size === 1) return (actual) => (keyOf(actual) === only) === isWanted
  return (actual) => {
    const key = keyOf(actual)
    return (key !== undefined && keys.has(key)) === isWanted
  }
}

function keyOf(actual: unknown): string | undefined {
  if (typeof actual === 'string') spendOnText(actual)
  return sameKey(actual)
}

/** Listeners with the same list share its keys: a list may have 10,000 values and thousands of listeners. */
const keysByList = new WeakMap<readonly unknown[], ReadonlySet<string>>()

function sharedKeysOf(list: readonly unknown[]): ReadonlySet<string> {
  const keys = keysByList.get(list) ?? keysOf(list)
  keysByList.set(list, keys)
  return keys
}

function keysOf(list: readonly unknown[]): ReadonlySet<string> {
  return new Set(list.flatMap((value) => (value === undefined ? [] : (sameKey(value) ?? []))))
}

type Order = 'gt' | 'gte' | 'lt' | 'lte'
const orders: Record<Order, (sign: number) => boolean> = {
  gt: (sign) => sign > 0,
  gte: (sign) => sign >= 0,
  lt: (sign) => sign < 0,
  lte: (sign) => sign <= 0,
}

/** Compares numbers by value and texts by characters. Other pairs have no order, so the comparison is false. */
function compareOrder(op: Order, wanted: unknown): Test {
  const holds = orders[op]
  const limit = readDecimal(wanted)
  if (limit) {
    return (actual) => {
      if (typeof actual === 'string') spendOnText(actual)
      const decimal = readDecimal(actual)
      return decimal !== undefined && holds(compareDecimals(decimal, limit))
    }
  }
  if (typeof wanted !== 'string') return never
  const text = wanted.toLowerCase()
  return (actual) => {
    if (typeof actual !== 'string') return false
    spendOnText(actual)
    return readDecimal(actual) === undefined && holds(compareTexts(actual.toLowerCase(), text))
  }
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function startsWith(wanted: unknown): Test {
  const start = textOf(wanted)?.toLowerCase()
  if (start === undefined) return never
  return (actual) => {
    const text = textOf(actual)
    if (text === undefined) return false
    spendOnText(text)
    return text.toLowerCase().startsWith(start)
  }
}

function matches(wanted: unknown): Test {
  const isMatch = typeof wanted === 'string' ? compileLinearRegex(wanted) : undefined
  if (!isMatch) return never
  return (actual) => {
    const text = textOf(actual)
    return text !== undefined && isMatch(text)
  }
}

/** Strings and numbers have a text; other values have none. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
}

/**
 * Two values are equal in conditions exactly if they have the same key. Numbers and numeric strings compare by value,
 * other strings without case. A missing field equals null. Lists and objects equal nothing, so they have no key.
 */
export function sameKey(value: unknown): string | undefined {
  if (value === undefined || value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  const decimal = readDecimal(value)
  if (decimal) return `#${showDecimal(decimal)}`
  return typeof value === 'string' ? `"${value.toLowerCase()}` : undefined
}

/** Converts a human amount to the field's unit: 1.5 of a balance with 6 decimals is 1500000. */
export function fromHuman(value: unknown, decimals: number): unknown {
  const decimal = decimals > 0 ? readDecimal(value) : undefined
  return decimal ? showDecimal(shift(decimal, decimals)) : value
}
