/** The bounds of policies. A bound in human units is compared with values that were converted to its unit. */
import { type Bound, boundText } from '@tocsin/contract'
import { type Decimal, readDecimal } from '../base/decimals.ts'

/** Undefined if an input gave no number. */
export function readBound(bound: Bound | undefined): Decimal | undefined {
  return bound === undefined ? undefined : readDecimal(boundText(bound))
}

/** What an alert names as the bound: the number as it was set. */
export function shownBound(bound: Bound | undefined): { bound?: string | number } {
  if (bound === undefined) return {}
  return { bound: typeof bound === 'object' ? boundText(bound) : bound }
}
