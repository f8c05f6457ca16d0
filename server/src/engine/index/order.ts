import { readDecimal, showDecimal } from '../decimals.ts'

/**
 * Numbers of any size by their place among doubles. Rounding never turns two of them round, so a bound may let a close
 * neighbour through, which verification drops; it never keeps one out.
 */
export function orderOf(value: unknown): number | undefined {
  const decimal = readDecimal(value)
  return decimal && Number(showDecimal(decimal))
}

export function orderOfUnsigned(word: string): number {
  return Number(word)
}

export function orderOfSigned(word: string): number {
  return word.charAt(2) < '8' ? orderOfUnsigned(word) : Number(BigInt.asIntN(256, BigInt(word)))
}
