import { compareDecimals, type Decimal, readDecimal, roundDecimal, showDecimal } from '../../base/decimals.ts'

type Aggregates = {
  avg?: number | string | null
  min?: number | string | null
  max?: number | string | null
  sum?: number | string | null
}

/** Digits after the point that an average has beyond those of its values. */
const averagePlaces = 18

/**
 * Exact on numbers of any size. Where every value is a JSON number the result is one too, as long as it can hold it;
 * else it is a decimal string. Null when a value is no number.
 */
export function aggregate(values: readonly unknown[], asked: readonly string[]): Aggregates {
  const kinds = (['avg', 'min', 'max', 'sum'] as const).filter((kind) => asked.includes(kind))
  const decimals = values.map(readDecimal).filter((decimal) => decimal !== undefined)
  if (decimals.length < values.length || decimals.length === 0)
    return Object.fromEntries(kinds.map((kind) => [kind, null]))
  const show = values.every((value) => typeof value === 'number') ? numberOrText : (each: Decimal) => showDecimal(each)
  const of = {
    avg: () => (show === numberOrText ? nearestNumber(averageOf(decimals)) : showDecimal(averageOf(decimals))),
    min: () => show(decimals.reduce((a, b) => (compareDecimals(b, a) < 0 ? b : a))),
    max: () => show(decimals.reduce((a, b) => (compareDecimals(b, a) > 0 ? b : a))),
    sum: () => show(sumOf(decimals)),
  }
  return Object.fromEntries(kinds.map((kind) => [kind, of[kind]()]))
}

function sumOf(decimals: readonly Decimal[]): Decimal {
  const scale = Math.max(...decimals.map((decimal) => decimal.scale))
  const digits = decimals.reduce((sum, each) => sum + each.digits * 10n ** BigInt(scale - each.scale), 0n)
  return { digits, scale }
}

/** One digit more than is shown is enough to round half away from zero. */
function averageOf(decimals: readonly Decimal[]): Decimal {
  const { digits, scale } = sumOf(decimals)
  const quotient = (digits * 10n ** BigInt(averagePlaces + 1)) / BigInt(decimals.length)
  return roundDecimal({ digits: quotient, scale: scale + averagePlaces + 1 }, scale + averagePlaces)
}

/** A number that is exactly this decimal, else its digits. */
export function numberOrText(decimal: Decimal): number | string {
  const text = showDecimal(decimal)
  const number = Number(text)
  const again = readDecimal(number)
  const isExact = again !== undefined && compareDecimals(again, decimal) === 0
  return isExact && (Number.isSafeInteger(number) || !Number.isInteger(number)) ? number : text
}

/** An average is rounded anyway; only where a number cannot hold its whole part is it text. */
function nearestNumber(decimal: Decimal): number | string {
  const text = showDecimal(decimal)
  return Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER ? Number(text) : text
}
