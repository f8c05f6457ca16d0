import { randomBytes } from 'node:crypto'
import { base32nopad } from '@scure/base'

const codeCount = 10

/** Ten codes of 80 random bits, such as `abcd-efgh-ijkl-mnop`. So many bits cannot be guessed, also not from a hash. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: codeCount }, () => {
    const letters = base32nopad.encode(randomBytes(10)).toLowerCase()
    return letters.match(/.{4}/g)?.join('-') ?? letters
  })
}

/** The same text for every way to type a code: with spaces, without hyphens, in capitals. */
export function recoveryCodeKey(code: string): string {
  return code.toLowerCase().replaceAll(/[\s-]/g, '')
}
