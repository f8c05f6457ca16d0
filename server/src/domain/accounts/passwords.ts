import { readFileSync } from 'node:fs'
import { hash, verify } from '@node-rs/argon2'
import { invalidPayload } from '../refusal.ts'
import type { PasswordCost } from '../settings.ts'

/** The minimum for argon2id that OWASP names. */
export const passwordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 }

/** An argon2id hash. */
export function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  return hash(password, cost)
}

/** Takes the same time without an account or a password, so that the time does not show which accounts exist. */
export async function isPassword(
  password: string,
  passwordHash: string | null | undefined,
  cost: PasswordCost,
): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await unusableHash(cost)), password)
  return matches && passwordHash !== null && passwordHash !== undefined
}

const unusable = new WeakMap<PasswordCost, Promise<string>>()
function unusableHash(cost: PasswordCost): Promise<string> {
  const made = unusable.get(cost) ?? hash(crypto.randomUUID(), cost)
  unusable.set(cost, made)
  return made
}

/**
 * Finds passwords that an attacker guesses first. A list of such passwords would need many thousands of lines. Instead
 * this code reduces a password to the word it was made from and compares that word with a short list. It also finds
 * repeated units and runs of neighbouring keys. The cost grows with the length of the password only.
 */

const replaced: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
}
const runs = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'azertyuiop',
  'qwertzuiop',
  // Keyboard columns (1qaz2wsx3edc) and two rows in turn (1q2w3e4r5t).
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'qazwsxedcrfvtgbyhnujm',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'zaq12wsxcde34rfv',
  '1qazxsw23edcvfr4',
  'abc123456789',
  '123qweasdzxc',
]
const longestPeriod = 4

/** `path` names the field of the request that holds the password. */
export function requireStrong(password: string, own: readonly string[], path: string): void {
  const weakness = whyWeak(password, own)
  if (weakness !== undefined) throw invalidPayload([{ path, message: weakness }])
}

/** The reason why a password is weak; undefined if it is not. `own` holds the name and the e-mail of the account. */
export function whyWeak(password: string, own: readonly string[]): string | undefined {
  const typed = password.trim().toLowerCase()
  if (own.flatMap(partsOf).includes(typed)) return 'must not be your name or e-mail address'
  return isCommon(typed) ? 'is one of the most common passwords; choose another' : undefined
}

function partsOf(text: string): string[] {
  const whole = text.trim().toLowerCase()
  return [whole, whole.split('@')[0] ?? whole].filter((part) => part !== '')
}

function isCommon(typed: string): boolean {
  return isRepetition(typed) || isRun(typed) || basesOf(typed).some(isCommonWord)
}

/** Such as 11111111 and abababab. */
function isRepetition(text: string): boolean {
  for (let period = 1; period <= longestPeriod; period += 1) {
    const unit = text.slice(0, period)
    if (unit.repeat(Math.ceil(text.length / period)).startsWith(text)) return true
  }
  return false
}

/** One or two pieces of runs, forwards or backwards: 12345678, 87654321, qwertyqwerty, qwerty12345. */
function isRun(text: string): boolean {
  const lengths = [...[...text].keys()].slice(3)
  const isPiece = (part: string) =>
    part.length >= 3 && runs.some((run) => run.includes(part) || run.includes([...part].reverse().join('')))
  return isPiece(text) || lengths.some((at) => isPiece(text.slice(0, at)) && isPiece(text.slice(at)))
}

/** The password without the digits and signs around it, with and without the usual replacements of letters undone. */
function basesOf(typed: string): string[] {
  const bare = (text: string) => text.replace(/^[^a-z]+|(?<![^a-z])[^a-z]+$/g, '')
  const plain = [...typed].map((letter) => replaced[letter] ?? letter).join('')
  const withoutTail = typed.replace(/(?<![^a-z@$])[^a-z@$]+$/, '')
  const plainWithoutTail = [...withoutTail].map((letter) => replaced[letter] ?? letter).join('')
  return [bare(typed), bare(plain), bare(plainWithoutTail)].flatMap((base) => [base, halfOf(base)])
}

/** `test` for `testtest`; any other text stays as it is. */
function halfOf(text: string): string {
  const half = text.slice(0, text.length / 2)
  return half + half === text ? half : text
}

let words: ReadonlySet<string> | undefined
function isCommonWord(text: string): boolean {
  words ??= new Set(
    readFileSync(new URL('common-words.txt', import.meta.url), 'utf8')
      .split(/\s+/)
      .filter(Boolean),
  )
  return words.has(text)
}
