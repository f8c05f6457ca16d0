import { readDecimal } from '../base/decimals.ts'

/**
 * A number of any size, rounded to a double. Rounding never reverses the order of two numbers, so different doubles decide a
 * comparison. If the doubles are equal, the exact numbers decide.
 */
export function orderOf(value: unknown): number | undefined {
  return readDecimal(value) ? Number(value) : undefined
}

export function orderOfUnsigned(word: string): number {
  return Number(word)
}

export function orderOfSigned(word: string): number {
  return word.charAt(2) < '8' ? orderOfUnsigned(word) : Number(signedOf(word))
}

export function signedOf(word: string): bigint {
  return BigInt.asIntN(256, BigInt(word))
}
