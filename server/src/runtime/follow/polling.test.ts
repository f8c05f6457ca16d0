import { expect, test } from 'vitest'
import { pollMs } from './polling.ts'

test('the head is read when the next block is nearly due, and then every eighth of a block time', () => {
  expect(pollMs({ usualMs: 12_000, sinceHeadMs: 100 }, false)).toBe(10_700)
  expect(pollMs({ usualMs: 12_000, sinceHeadMs: 10_800 }, false)).toBe(1500)
  expect(pollMs({ usualMs: 1000, sinceHeadMs: 0 }, false)).toBe(900)
  expect(pollMs({ usualMs: 1000, sinceHeadMs: 950 }, false)).toBe(250)
  expect(pollMs({ usualMs: 60_000, sinceHeadMs: 60_000 }, false)).toBe(2000)
  expect(pollMs({ usualMs: 400, sinceHeadMs: 0 }, false)).toBe(360)
})

test('the head is read two to four times a second without a known block time, and every 5 s while heads are announced', () => {
  expect(pollMs({ usualMs: undefined, sinceHeadMs: 0 }, false)).toBe(250)
  expect(pollMs({ usualMs: undefined, sinceHeadMs: 1600 }, false)).toBe(400)
  expect(pollMs({ usualMs: undefined, sinceHeadMs: 60_000 }, false)).toBe(500)
  expect(pollMs({ usualMs: 1000, sinceHeadMs: 0 }, true)).toBe(5000)
})
