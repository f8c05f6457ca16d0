import type { Condition } from '@tocsin/contract'
import { compareDecimals, readDecimal } from '../base/decimals.ts'
import { compileLinearRegex } from './linear-regex.ts'
import { fromHuman, sameKey } from './same-key.ts'

export type Comparison = Extract<Condition, { op: string }>
type Test = (found: unknown) => boolean

const never: Test = () => false

/**
 * One comparison, its wanted value made ready. Without that value (an input that is not there, an expression that cannot
 * be used) it is never met, whatever its op: a condition must not hold because half of it is missing.
 */
export function compileComparison(op: Comparison['op'], wanted: unknown, decimals: number): Test {
  if (wanted === undefined) return never
  if (op === 'startsWith') return startsWith(wanted)
  if (op === 'matches') return matches(wanted)
  if (op === 'eq' || op === 'ne') return isAmong([wanted], decimals, op === 'eq')
  if (op === 'in' || op === 'nin') return Array.isArray(wanted) ? isAmong(wanted, decimals, op === 'in') : never
  return inOrder(op, fromHuman(wanted, decimals))
}

/** One lookup however long the list is. */
function isAmong(wanted: unknown[], decimals: number, isWanted: boolean): Test {
  const present = wanted.filter((value) => value !== undefined)
  const keys = new Set(present.map((value) => sameKey(fromHuman(value, decimals))))
  keys.delete(undefined)
  const [only] = keys
  if (only !== undefined && keys.size === 1) return (found) => (sameKey(found) === only) === isWanted
  return (found) => keys.has(sameKey(found)) === isWanted
}

type Order = 'gt' | 'gte' | 'lt' | 'lte'
const orders: Record<Order, (sign: number) => boolean> = {
  gt: (sign) => sign > 0,
  gte: (sign) => sign >= 0,
  lt: (sign) => sign < 0,
  lte: (sign) => sign <= 0,
}

/** Numbers by value, texts by their letters; a number and a text, or anything else, have no order. */
function inOrder(op: Order, wanted: unknown): Test {
  const holds = orders[op]
  const limit = readDecimal(wanted)
  if (limit) {
    return (found) => {
      const decimal = readDecimal(found)
      return decimal !== undefined && holds(compareDecimals(decimal, limit))
    }
  }
  if (typeof wanted !== 'string') return never
  const text = wanted.toLowerCase()
  return (found) =>
    typeof found === 'string' && readDecimal(found) === undefined && holds(compareTexts(found.toLowerCase(), text))
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function startsWith(wanted: unknown): Test {
  const start = textOf(wanted)?.toLowerCase()
  if (start === undefined) return never
  return (found) => textOf(found)?.toLowerCase().startsWith(start) ?? false
}

function matches(wanted: unknown): Test {
  const isMatch = typeof wanted === 'string' ? compileLinearRegex(wanted) : undefined
  if (!isMatch) return never
  return (found) => {
    const text = textOf(found)
    return text !== undefined && isMatch(text)
  }
}

/** A number has a text as well; nothing else does. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
}
