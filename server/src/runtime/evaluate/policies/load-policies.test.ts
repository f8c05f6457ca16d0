import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeThrottle } from './load-policies.ts'

test('no two alerts pass closer than the period, and no other alert is refused', () => {
  const times = fc.array(fc.nat(200), { maxLength: 60 })
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 50 }), (times, perMs) => {
      const throttle = makeThrottle(perMs, [])
      const passed: number[] = []
      for (const [index, atMs] of times.entries()) {
        const isFree = passed.every((other) => Math.abs(other - atMs) >= perMs)
        expect(throttle.mayPass(atMs, String(index))).toBe(isFree)
        if (!isFree) continue
        throttle.pass(atMs, String(index))
        passed.push(atMs)
      }
    }),
  )
})

test('the same alert passes again', () => {
  const throttle = makeThrottle(10, [{ id: 'a', atMs: 100 }])
  expect(throttle.mayPass(100, 'a')).toBe(true)
  expect(throttle.mayPass(100, 'b')).toBe(false)
})
