import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeThrottle } from './throttle.ts'

const name = { subscriptionId: 's', ruleId: '', key: '' }
const keyOf = (per: string) => ({ policy: { type: 'throttle' as const, per }, triggerId: 't', name })

test('no two alerts pass closer than the period, and no other alert is refused', () => {
  const times = fc.array(fc.nat(200), { maxLength: 60 })
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 50 }), (times, perMs) => {
      const throttle = makeThrottle(keyOf(`${perMs}s`), [], undefined)
      const passed: number[] = []
      for (const [index, atMs] of times.entries()) {
        const isFree = passed.every((other) => Math.abs(other - atMs) >= perMs)
        expect(throttle.mayPass(atMs * 1000, String(index))).toBe(isFree)
        if (!isFree) continue
        throttle.pass(atMs * 1000, String(index))
        passed.push(atMs)
      }
    }),
  )
})

test('the same alert passes again', () => {
  const throttle = makeThrottle(keyOf('10s'), [{ id: 'a', atMs: 100 }], undefined)
  expect(throttle.mayPass(100, 'a')).toBe(true)
  expect(throttle.mayPass(100, 'b')).toBe(false)
})

test('the next alert says how many outputs were left out before it, without those of undone blocks', () => {
  const mark = { source: 's', hash: '0x1', incarnation: 0 }
  const first = makeThrottle(keyOf('10s'), [{ id: 'a', atMs: 1_000 }], undefined)
  for (const at of [2_000, 3_000]) first.suppress(at, mark)
  first.suppress(4_000, null)
  const [row] = first.changed()
  expect(row?.state).toMatchObject({
    sinceMs: 1_000,
    suppressed: [
      { mark, count: 2 },
      { mark: null, count: 1 },
    ],
  })
  const stored = { sinceMs: 1_000, suppressed: [{ mark: null, count: 1 }] }
  const next = makeThrottle(keyOf('10s'), [], stored)
  expect(next.pass(11_000, 'b')).toEqual({
    ...{ type: 'throttle', within: '10s', since: '1970-01-01T00:00:01.000Z', suppressed: 1 },
  })
  expect(next.pass(21_000, 'c')).toMatchObject({ since: '1970-01-01T00:00:21.000Z', suppressed: 0 })
})
