import { expect, test } from 'vitest'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import { Failures, Misconfigured } from './failures.ts'

test('the first two failures are transient, the third is an error, and it is logged once in ten minutes', () => {
  let now = 0
  const failures = new Failures(() => now)
  const fail = () => failures.record(new UpstreamError('failed', 'no answer'))
  expect([fail(), fail()].map(({ isError, line }) => [isError, line])).toEqual([
    [false, undefined],
    [false, undefined],
  ])
  expect(fail()).toMatchObject({
    isError: true,
    line: { level: 'error', message: 'no answer', details: { failures: 3 } },
  })
  expect(fail().line).toBeUndefined()
  now = 600_000
  expect(fail().line).toMatchObject({ details: { failures: 5 } })
  expect(failures.end()).toEqual({ failures: 5, seconds: 600 })
  expect(failures.end()).toBeUndefined()
})

test('retry delays grow up to a maximum', () => {
  const failures = new Failures(() => 0)
  const pauses = Array.from({ length: 12 }, () => failures.record(new UpstreamError('timeout', 'late')).retryDelayMs)
  expect(pauses.slice(0, 4)).toEqual([250, 500, 1000, 2000])
  expect(pauses.at(-1)).toBe(15_000)
})

test('a misconfigured source is in error at once; the text of an internal error is not shown to its owner', () => {
  const failures = new Failures(() => 0)
  const decision = failures.record(new Misconfigured('source.network_mismatch', 'two networks'))
  expect(decision).toMatchObject({ isError: true, code: 'source.network_mismatch', retryDelayMs: 60_000 })
  const ours = new Failures(() => 0)
  for (let at = 0; at < 2; at += 1) ours.record(new Error('password authentication failed'))
  expect(ours.record(new Error('password authentication failed')).line?.message).not.toContain('password')
})
