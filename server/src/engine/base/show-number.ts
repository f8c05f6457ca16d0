import { groupDigits, showAmount } from '@tocsin/contract'
import { type Decimal, readDecimal, roundDecimal, showDecimal } from './decimals.ts'

const cents = 2

/**
 * Groups thousands: 1234567.5 is 1,234,567.5. Without `digits` it is rounded as every amount is; `fixed` pads with zeros to that
 * many digits after the point.
 */
export function showNumber(decimal: Decimal, { digits, fixed = 0 }: { digits?: number; fixed?: number } = {}): string {
  return digits === undefined
    ? showAmount(showDecimal(decimal))
    : groupDigits(showDecimal(roundDecimal(decimal, digits), fixed))
}

/** Shows US dollars: $1,234.50. An amount under one cent keeps its first two digits, because a price of $0.00 says nothing. */
export function showUsd(decimal: Decimal): string {
  const text = showAmount(showDecimal(decimal), cents, cents)
  return text.startsWith('-') ? `-$${text.slice(1)}` : `$${text}`
}

/** Shows an amount in its smallest unit as whole tokens with the symbol, as in 1.5 TKN. Undefined if it is not a number. */
export function showTokens(
  amount: unknown,
  { symbol, decimals }: { symbol: string | null; decimals: number },
  digits?: number,
): string | undefined {
  const units = readDecimal(amount)
  if (!units) return undefined
  const text = showNumber({ ...units, scale: units.scale + decimals }, digits === undefined ? {} : { digits })
  const shown = shortSymbol(symbol)
  return shown === '' ? text : `${text} ${shown}`
}

const symbolMax = 24
const symbolReadMax = 200

/** Anybody can make a token, so its symbol may be a text with lines or a long advertisement. */
function shortSymbol(symbol: string | null): string {
  const text = (symbol ?? '')
    .slice(0, symbolReadMax)
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
  return text.length > symbolMax ? `${text.slice(0, symbolMax - 1)}…` : text
}
