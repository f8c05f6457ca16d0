import { expect, test } from 'vitest'
import { type AttemptKey, makeAttempts } from './attempts.ts'

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)
const pair = (address: string): AttemptKey => ({ name: `ann at ${address}`, freeAttempts: 3 })
const mailbox: AttemptKey = { name: 'ann', freeAttempts: 5, waitMaxMs: 4_000, skipsKnown: true }

test('an attempt counts from its start, so concurrent attempts cannot exceed the free ones', () => {
  const attempts = makeAttempts()
  const begin = () => attempts.begin([pair('home')], at(0))
  for (let n = 0; n < 3; n += 1) begin()
  expect(begin).toThrow(/try again in 1 s/)
})

test('each further failure doubles the delay; an hour without failures or a success resets it', () => {
  const attempts = makeAttempts()
  const begin = (seconds: number) => attempts.begin([pair('home')], at(seconds))
  for (const seconds of [0, 0, 0]) begin(seconds)
  begin(1)
  expect(() => begin(2)).toThrow(/try again in 1 s/)
  begin(3)
  expect(() => begin(4)).toThrow(/try again in 3 s/)
  begin(3_700).succeed()
  for (const seconds of [3_700, 3_700, 3_700]) begin(seconds)
  expect(() => begin(3_700)).toThrow(/try again/)
})

test('an attempt that is undone does not count, and forgives no other', () => {
  const attempts = makeAttempts()
  const begin = () => attempts.begin([pair('home')], at(0))
  begin()
  begin()
  begin().undo()
  begin()
  expect(begin).toThrow(/try again in 1 s/)
})

test('failures of strangers delay an e-mail address for seconds, and not at all from addresses where its owner signed in before', () => {
  const attempts = makeAttempts()
  attempts.begin([pair('home'), mailbox], at(0)).succeed()
  for (let n = 0; n < 60; n += 1) {
    const begin = (seconds: number) => attempts.begin([pair(`bot ${n}`), mailbox], at(seconds))
    begin(n * 4)
  }
  expect(() => attempts.begin([pair('bot x'), mailbox], at(60 * 4 - 2))).toThrow(/try again in 2 s/)
  expect(() => attempts.begin([pair('hotel'), mailbox], at(60 * 4 - 2))).toThrow(/try again in 2 s/)
  attempts.begin([pair('home'), mailbox], at(60 * 4 - 2)).succeed()
  attempts.begin([pair('hotel'), mailbox], at(60 * 4)).succeed()
})
