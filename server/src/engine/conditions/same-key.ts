import { readDecimal, shift, showDecimal } from '../base/decimals.ts'

/**
 * Two values are equal in conditions exactly when they have the same key: numbers and numeric strings by their value,
 * strings whatever their case, true, false and null as themselves. A field that is not there is null. Lists and objects
 * equal nothing, so they have none.
 */
export function sameKey(value: unknown): string | undefined {
  if (value === undefined || value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  const decimal = readDecimal(value)
  if (decimal) return `#${showDecimal(decimal)}`
  return typeof value === 'string' ? `"${value.toLowerCase()}` : undefined
}

/** The value that a field holds when its human form is this: 1.5 of a balance with 6 decimals is 1500000. */
export function fromHuman(value: unknown, decimals: number): unknown {
  const decimal = decimals > 0 ? readDecimal(value) : undefined
  return decimal ? showDecimal(shift(decimal, decimals)) : value
}
