import type { AddressForm } from './chain.ts'

const patterns = new Map<string, RegExp>()

/** True if the text has the form of an address. A checksum is not checked. */
export function hasAddressForm(form: AddressForm, text: string): boolean {
  if ('pattern' in form) return patternOf(form.pattern).test(text)
  const bytes = base58Length(text)
  return bytes !== undefined && form.base58Bytes.includes(bytes)
}

/** A message may hold thousands of words, so each pattern is compiled once. */
function patternOf(source: string): RegExp {
  const known = patterns.get(source)
  if (known) return known
  const made = new RegExp(source)
  patterns.set(source, made)
  return made
}

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** The time grows with the square of the length. No address is longer. */
const lettersMax = 50

/** The number of bytes that a base58 text stands for; undefined if it is no base58. */
function base58Length(text: string): number | undefined {
  if (text === '' || text.length > lettersMax) return undefined
  let value = 0n
  for (const letter of text) {
    const digit = alphabet.indexOf(letter)
    if (digit === -1) return undefined
    value = value * 58n + BigInt(digit)
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return zeros + (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2))
}
