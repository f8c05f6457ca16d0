import { expect, test } from 'vitest'
import { Trouble } from './trouble.ts'

test('a problem is reported when it begins, less and less often while it lasts, and when it is over', () => {
  let now = 0
  const trouble = new Trouble(() => now)
  const told: number[] = []
  for (now = 0; now < 24 * 3_600_000; now += 60_000) if (trouble.recordOccurrence()) told.push(now / 60_000)
  expect(told).toEqual([0, 10, 30, 70, 150, 310, 550, 790, 1030, 1270])
  expect(trouble.endIfCalm()).toBeUndefined()
  now += 300_000
  expect(trouble.endIfCalm()).toEqual({ times: 1440, seconds: 86_340 })
  expect(trouble.endIfCalm()).toBeUndefined()
  expect(trouble.recordOccurrence()).toEqual({ times: 1, seconds: 0 })
})

test('a short time without failures does not end a problem', () => {
  let now = 0
  const trouble = new Trouble(() => now)
  expect(trouble.recordOccurrence()).toEqual({ times: 1, seconds: 0 })
  now = 299_999
  expect(trouble.endIfCalm()).toBeUndefined()
  expect(trouble.recordOccurrence()).toBeUndefined()
})
