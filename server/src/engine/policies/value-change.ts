/** How much a value changed: exactly, as a number or as a percentage of the earlier value. */
import { type Bound, boundText } from '@tocsin/contract'
import {
  compareDecimals,
  type Decimal,
  divideDecimals,
  readDecimal,
  shift,
  showDecimal,
  subtractDecimals,
} from '../base/decimals.ts'
import { isAmount, type PolicyDetails } from './key-state.ts'

/** `by` is a percentage of the size of the earlier value, or a difference. */
export type ChangeBy = { by: Decimal; isPercentage: boolean }

/** `5`, `"-0.5"`, `"10%"` or an amount; undefined if an input gave no number. */
export function readChange(given: Bound): ChangeBy | undefined {
  const text = boundText(given)
  const by = readDecimal(text.replace(/%$/, ''))
  return by && { by, isPercentage: text.endsWith('%') }
}

/**
 * Compares the change from the earlier value with `by`, without a division: 1 if it is more, 0 if it is equal, else -1. Each
 * change from zero is more than any percentage.
 */
export function compareChange({ by, isPercentage }: ChangeBy, earlier: Decimal, value: Decimal): number {
  const difference = subtractDecimals(value, earlier)
  if (!isPercentage) return compareDecimals(difference, by)
  const hundredfold = { digits: difference.digits * 100n, scale: difference.scale }
  const wanted = { digits: by.digits * magnitude(earlier).digits, scale: by.scale + earlier.scale }
  return compareDecimals(hundredfold, wanted)
}

/** True if the value differs by at least `by`, whether it rose or fell. */
export function isAtLeast(change: ChangeBy, earlier: Decimal, value: Decimal): boolean {
  const { digits, scale } = change.by
  if (compareDecimals(value, earlier) >= 0) return compareChange(change, earlier, value) >= 0
  return compareChange({ ...change, by: { digits: -digits, scale } }, earlier, value) <= 0
}

/** What an alert says of a value that was compared with an earlier one. `given` is the value as the output has it. */
export function comparedDetails(sinceMs: number, earlier: Decimal, value: Decimal, given: unknown): PolicyDetails {
  const percent = percentOf(earlier, value)
  return {
    sinceMs,
    value: isAmount(given) ? given : showDecimal(value),
    previous: showDecimal(earlier),
    ...(percent !== undefined && { changePercent: percent }),
  }
}

function magnitude({ digits, scale }: Decimal): Decimal {
  return { digits: digits < 0n ? -digits : digits, scale }
}

/** Rounded to two digits. Undefined from zero, and where it is too large for a number. */
function percentOf(earlier: Decimal, value: Decimal): number | undefined {
  if (earlier.digits === 0n) return undefined
  const change = divideDecimals(subtractDecimals(value, earlier), magnitude(earlier), 4)
  const percent = Number(showDecimal(shift(change, 2)))
  return Number.isFinite(percent) ? percent : undefined
}
