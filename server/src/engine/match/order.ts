import { readDecimal } from '../base/decimals.ts'

/**
 * A number of any size, rounded to a double. Rounding never reverses the order of two numbers, so different doubles decide a
 * comparison. If the doubles are equal, the exact numbers decide.
 */
export function orderOf(value: unknown): number | undefined {
  return readDecimal(value) ? Number(value) : undefined
}

/** A word is an integer in hex: 64 lower-case digits of a text from `at` on. */
const wordDigits = 64
/** Most amounts have at most 20 digits. */
const leadingZeros = '0'.repeat(44)

/**
 * The word as the nearest double. A double holds 13 digits exactly, so the sum of the first 7 and the last 13 of 20 digits
 * is rounded only once. That is faster than `Number`, above all where the word is in a longer text.
 */
export function orderOfUnsigned(text: string, at: number): number {
  if (!text.startsWith(leadingZeros, at)) return Number(`0x${text.slice(at, at + wordDigits)}`)
  return digitsAt(text, at + 44, 7) * 16 ** 13 + (digitsAt(text, at + 51, 7) * 16 ** 6 + digitsAt(text, at + 58, 6))
}

/** Reads up to 7 digits. The codes of `0` to `9` end with the digit; those of `a` to `f` end with the digit minus 9. */
function digitsAt(text: string, from: number, count: number): number {
  let number = 0
  for (let at = from; at < from + count; at++) {
    const code = text.charCodeAt(at)
    number = (number << 4) | ((code & 15) + 9 * (code >> 6))
  }
  return number
}

export function orderOfSigned(text: string, at: number): number {
  return text.charAt(at) < '8' ? orderOfUnsigned(text, at) : Number(signedAt(text, at))
}

export function unsignedAt(text: string, at: number): bigint {
  return BigInt(`0x${text.slice(at, at + wordDigits)}`)
}

export function signedAt(text: string, at: number): bigint {
  return BigInt.asIntN(256, unsignedAt(text, at))
}
