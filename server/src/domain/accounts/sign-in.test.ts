import { expect, test } from 'vitest'
import { makeAttempts } from '../attempts.ts'
import { Refusal } from '../refusal.ts'
import { signInKeys } from './sign-in.ts'

const dayMs = 24 * 3_600_000

/** How many passwords of one mailbox an attacker can try in a day who obeys every wait, from as many addresses as given. */
function guessesInADay(addresses: number): number {
  const attempts = makeAttempts()
  const began = 1_800_000_000_000
  let [guesses, nowMs] = [0, began]
  while (nowMs < began + dayMs) {
    try {
      attempts.begin(signInKeys('ann@example.org', `address ${guesses % addresses}`), new Date(nowMs))
      guesses += 1
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      nowMs += (error.retryAfterSeconds ?? 1) * 1000
    }
  }
  return guesses
}

test('one address guesses 110 passwords of a mailbox in a day, and all addresses together fewer than 17,400', () => {
  expect(guessesInADay(1)).toBeLessThanOrEqual(110)
  expect(guessesInADay(100_000)).toBeLessThan(17_400)
})

test('people who share an address do not wait for each other when they mistype, and an attacker there waits', () => {
  const attempts = makeAttempts()
  const mistype = (person: number) =>
    attempts.begin(signInKeys(`person-${person}@example.org`, 'office'), new Date(1_800_000_000_000))
  for (let person = 0; person < 100; person++) mistype(person)
  expect(() => mistype(100)).toThrow('Too many attempts')
})
