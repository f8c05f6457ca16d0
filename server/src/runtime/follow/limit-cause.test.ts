import { expect, test } from 'vitest'
import type { EndpointReport } from '../../engine/sources/endpoint-report.ts'
import { CallsPerBlock, limitCause } from './step-report.ts'

function endpoint(host: string, perSecond: number | null, requests = 0): EndpointReport {
  const counts = { requests, failures: 0, timeouts: 0, slowDowns: 0, nulls: 0, incomplete: 0 }
  return { host, ...counts, latencyMs: null, restMs: 0, perSecond }
}

test('the calls a second are the calls for a block divided by the block time', () => {
  const calls = new CallsPerBlock()
  calls.record([endpoint('a', null, 100)], 10)
  expect(calls.perSecond(1000)).toBeUndefined()
  calls.record([endpoint('a', null, 110), endpoint('b', null, 15)], 15)
  expect([calls.perSecond(1000), calls.perSecond(12_000), calls.perSecond(undefined)]).toEqual([5, 5 / 12, undefined])
  // A reorg, or a person, moved the checkpoint back.
  calls.record([endpoint('a', null, 200)], 3)
  calls.record([endpoint('a', null, 206)], 9)
  expect(calls.perSecond(1000)).toBe(1)
})

test('the endpoints’ limits are the cause only if every endpoint has one', () => {
  const sentence = 'a:1 allows about 3 calls a second; this source needs about 5.'
  expect(limitCause([endpoint('a:1', 3)], 4.2)).toBe(sentence)
  expect(limitCause([endpoint('a:1', 3), endpoint('b:1', null)], 4.2)).toBeUndefined()
  expect(limitCause([endpoint('a:1', 3), endpoint('b:1', 2)], undefined)).toBe(
    'a:1 allows about 3 calls a second, b:1 allows about 2 calls a second; this source needs more.',
  )
  expect(limitCause([], 4)).toBeUndefined()
})
