import { expect, test } from 'vitest'
import { decideAgainMs, dueAfter, hasPassed, hasPassedSinceClock } from './read-to.ts'

const read = (nowMs: number, chainMs: number | null, clockMs: number | null) => ({ nowMs, chainMs, clockMs })

test('time has passed since an item when a later block was applied, or the node was asked later and had none', () => {
  const item = { atMs: 1_000, seenMs: 3_000 }
  expect(hasPassed(item, 40_000, read(43_000, 40_999, 42_999))).toBe(false)
  expect(hasPassed(item, 40_000, read(43_000, 41_000, null))).toBe(true)
  expect(hasPassed(item, 40_000, read(43_000, null, 43_000))).toBe(true)
  expect(hasPassed(item, 40_000, read(42_999, 41_000, 43_000))).toBe(false)
  expect(hasPassed(item, 40_000, read(1_000_000, null, null))).toBe(false)
})

test('an item that was read long after its time counts by its own time', () => {
  const item = { atMs: 1_000, seenMs: 100_000 }
  expect(dueAfter(item, 40_000)).toBe(41_000)
  expect(hasPassed(item, 40_000, read(100_000, 41_000, null))).toBe(true)
  expect(hasPassed(item, 40_000, read(100_000, 40_999, 100_000))).toBe(false)
})

test('a chain whose clock is far ahead does not end a silence that began by the clock', () => {
  const dayMs = 86_400_000
  expect(hasPassedSinceClock(0, 40_000, read(40_000, dayMs, null))).toBe(false)
  expect(hasPassedSinceClock(0, 40_000, read(40_000, 40_000, null))).toBe(true)
  expect(hasPassedSinceClock(0, 40_000, read(43_000, dayMs, 40_000))).toBe(true)
  expect(hasPassedSinceClock(0, 40_000, read(39_999, 40_000, 40_000))).toBe(false)
})

test('a timer that cannot decide yet fires again after one second at first, and at least every ten', () => {
  expect([0, 16_000, 3_600_000].map((lateMs) => decideAgainMs(0, lateMs) - lateMs)).toEqual([1_000, 2_000, 10_000])
})
