import { readDecimal } from '../base/decimals.ts'

/**
 * Numbers of any size by their place among doubles. Rounding never turns two of them round, so doubles that differ decide;
 * where they are the same, the exact numbers do.
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
