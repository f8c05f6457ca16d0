import { compareDecimals, type Decimal, readDecimal, roundDecimal, showDecimal } from '../../base/decimals.ts'

type Aggregates = {
  avg?: number | string | null
  min?: number | string | null
  max?: number | string | null
  sum?: number | string | null
}

/** An average has this many digits after the point more than its values. */
const averagePlaces = 18

/**
 * Computes exactly with numbers of any size. If all values are JSON numbers, the result is one too if it is exact; else it
 * is a decimal string. Null if a value is not a number.
 */
export function aggregate(values: readonly unknown[], wanted: readonly string[]): Aggregates {
  const kinds = (['avg', 'min', 'max', 'sum'] as const).filter((kind) => wanted.includes(kind))
  const decimals = values.map(readDecimal).filter((decimal) => decimal !== undefined)
  if (decimals.length < values.length || decimals.length === 0)
    return Object.fromEntries(kinds.map((kind) => [kind, null]))
  const show = values.every((value) => typeof value === 'number') ? numberOrText : (each: Decimal) => showDecimal(each)
  const compute = {
    avg: () => (show === numberOrText ? nearestNumber(averageOf(decimals)) : showDecimal(averageOf(decimals))),
    min: () => show(decimals.reduce((a, b) => (compareDecimals(b, a) < 0 ? b : a))),
    max: () => show(decimals.reduce((a, b) => (compareDecimals(b, a) > 0 ? b : a))),
    sum: () => show(sumOf(decimals)),
  }
  return Object.fromEntries(kinds.map((kind) => [kind, compute[kind]()]))
}

function sumOf(decimals: readonly Decimal[]): Decimal {
  const scale = Math.max(...decimals.map((decimal) => decimal.scale))
  const digits = decimals.reduce((sum, each) => sum + each.digits * 10n ** BigInt(scale - each.scale), 0n)
  return { digits, scale }
}

/** One more digit than shown is enough to round half away from zero. */
function averageOf(decimals: readonly Decimal[]): Decimal {
  const { digits, scale } = sumOf(decimals)
  const quotient = (digits * 10n ** BigInt(averagePlaces + 1)) / BigInt(decimals.length)
  return roundDecimal({ digits: quotient, scale: scale + averagePlaces + 1 }, scale + averagePlaces)
}

/** Returns a number if it is exactly this decimal, else a decimal string. */
export function numberOrText(decimal: Decimal): number | string {
  const text = showDecimal(decimal)
  const number = Number(text)
  const again = readDecimal(number)
  const isExact = again !== undefined && compareDecimals(again, decimal) === 0
  return isExact && (Number.isSafeInteger(number) || !Number.isInteger(number)) ? number : text
}

/** An average is rounded anyway, so it is a string only if its integer part does not fit into a number. */
function nearestNumber(decimal: Decimal): number | string {
  const text = showDecimal(decimal)
  return Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER ? Number(text) : text
}
