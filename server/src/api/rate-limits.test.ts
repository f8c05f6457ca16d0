import { expect, test } from 'vitest'
import { makeRateLimits } from './rate-limits.ts'

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)

test('a caller has a limit for each minute, also after the clock was set forward or back', () => {
  const limits = makeRateLimits()
  const isOver = (seconds: number) => limits.spend('ann', 2, at(seconds)).isOver
  expect([0, 1, 2, 59].map(isOver)).toEqual([false, false, true, true])
  expect([60, 61, 62].map(isOver)).toEqual([false, false, true])
  expect([-7_200, -7_199, -7_198].map(isOver)).toEqual([false, false, true])
  expect([7_200, 7_201, 7_202].map(isOver)).toEqual([false, false, true])
})
