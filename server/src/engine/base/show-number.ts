import { type Decimal, readDecimal, roundDecimal, showDecimal } from './decimals.ts'

/** Groups thousands: 1234567.5 is 1,234,567.5. `digits` rounds; `fixed` pads with zeros to that many digits after the point. */
export function showNumber(decimal: Decimal, { digits, fixed = 0 }: { digits?: number; fixed?: number } = {}): string {
  const [whole = '', fraction] = showDecimal(
    digits === undefined ? decimal : roundDecimal(decimal, digits),
    fixed,
  ).split('.')
  const grouped = groupThousands(whole)
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** A loop, because a regular expression that looks ahead to the end at each digit is quadratic. */
function groupThousands(whole: string): string {
  const first = whole.startsWith('-') ? 1 : 0
  const groups: string[] = []
  for (let end = whole.length; end > first; end -= 3) groups.push(whole.slice(Math.max(first, end - 3), end))
  return `${whole.slice(0, first)}${groups.reverse().join(',')}`
}

const cents = 2

/** Shows US dollars: $1,234.50. An amount under one cent keeps its first two digits, because a price of $0.00 says nothing. */
export function showUsd(decimal: Decimal): string {
  const magnitude = decimal.digits < 0n ? { ...decimal, digits: -decimal.digits } : decimal
  const digits = Math.max(
    cents,
    isUnderOneCent(magnitude) ? magnitude.scale - String(magnitude.digits).length + 2 : cents,
  )
  const text = showNumber(magnitude, { digits, fixed: cents })
  return `${decimal.digits < 0n ? '-' : ''}$${text}`
}

function isUnderOneCent({ digits, scale }: Decimal): boolean {
  return digits > 0n && String(digits).length <= scale - cents
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
