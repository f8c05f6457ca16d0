import { readDecimal, shift, showDecimal } from '../base/decimals.ts'

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
