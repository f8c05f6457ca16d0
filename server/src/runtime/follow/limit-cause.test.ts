import { expect, test } from 'vitest'
import type { EndpointReport } from '../../engine/sources/endpoint-report.ts'
import { CallsPerBlock, limitCause } from './limit-cause.ts'

function endpoint(host: string, perSecond: number | null, requests = 0): EndpointReport {
  const counts = { requests, failures: 0, timeouts: 0, slowDowns: 0, nulls: 0, incomplete: 0 }
  return { host, ...counts, latencyMs: null, restMs: 0, perSecond }
}

test('the calls a second are those of a block over the time of a block', () => {
  const calls = new CallsPerBlock()
  calls.see([endpoint('a', null, 100)], 10)
  expect(calls.perSecond(1000)).toBeUndefined()
  calls.see([endpoint('a', null, 110), endpoint('b', null, 15)], 15)
  expect([calls.perSecond(1000), calls.perSecond(12_000), calls.perSecond(undefined)]).toEqual([5, 5 / 12, undefined])
  // A reorganisation, or a person, set it back.
  calls.see([endpoint('a', null, 200)], 3)
  calls.see([endpoint('a', null, 206)], 9)
  expect(calls.perSecond(1000)).toBe(1)
})

test('the endpoints’ limits are the cause only where every endpoint has one', () => {
  const sentence = 'a:1 allows about 3 calls a second; this source needs about 5.'
  expect(limitCause([endpoint('a:1', 3)], 4.2)).toBe(sentence)
  expect(limitCause([endpoint('a:1', 3), endpoint('b:1', null)], 4.2)).toBeUndefined()
  expect(limitCause([endpoint('a:1', 3), endpoint('b:1', 2)], undefined)).toBe(
    'a:1 allows about 3 calls a second, b:1 allows about 2 calls a second; this source needs more.',
  )
  expect(limitCause([], 4)).toBeUndefined()
})
