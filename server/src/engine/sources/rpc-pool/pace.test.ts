import { expect, test } from 'vitest'
import { Pace } from './pace.ts'

const pace = () => {
  const clock = { ms: 10_000 }
  return { clock, pace: new Pace(() => clock.ms) }
}

test('calls are not delayed until the endpoint reports a rate limit', () => {
  const { pace: free } = pace()
  expect(Array.from({ length: 1000 }, () => free.take())).toEqual(Array(1000).fill(0))
  expect(free.perSecond).toBe(null)
})

test('after a rate limit error the rate is halved, and calls are spaced evenly', () => {
  const { clock, pace: slowed } = pace()
  for (let call = 0; call < 40; call += 1) slowed.take()
  slowed.slowDown()
  slowed.slowDown()
  expect(slowed.perSecond).toBe(20)
  expect([slowed.take(), slowed.take(), slowed.take()]).toEqual([50, 100, 150])
  clock.ms += 1000
  expect(slowed.waitMs).toBe(0)
  expect(slowed.perSecond).toBeCloseTo(22)
})

test('a second rate limit error halves the rate again, down to a minimum; without further errors the limit is lifted', () => {
  const { clock, pace: slowed } = pace()
  slowed.take()
  for (let complaint = 0; complaint < 5; complaint += 1) {
    slowed.slowDown()
    clock.ms += 1000
  }
  slowed.slowDown()
  expect(slowed.perSecond).toBe(2)
  clock.ms += 30_000
  expect([slowed.waitMs, slowed.perSecond]).toEqual([0, 2])
  clock.ms += 30_000
  expect(slowed.waitMs).toBe(0)
  expect(slowed.perSecond).toBeGreaterThan(30)
  clock.ms += 60_000
  expect([slowed.take(), slowed.perSecond]).toEqual([0, null])
})

test('a limit of three calls per second is found, with about one rate limit error per minute', () => {
  const { clock, pace: limited } = pace()
  let second = { startedAt: 0, calls: 0 }
  let complaints = 0
  let served = 0
  const endsAt = clock.ms + 600_000
  while (clock.ms < endsAt) {
    clock.ms += limited.take()
    if (clock.ms - second.startedAt >= 1000) second = { startedAt: clock.ms, calls: 0 }
    second.calls += 1
    if (second.calls <= 3) served += 1
    else {
      complaints += 1
      limited.slowDown()
      clock.ms += 1000
    }
    clock.ms += 20
  }
  expect(complaints).toBeLessThan(40)
  expect(served / 600).toBeGreaterThan(2)
})
