import { expect, test } from 'vitest'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import { Failures, Misconfigured } from './failures.ts'

test('the first failures are weather, the third is an error, and it is told once in ten minutes', () => {
  let now = 0
  const failures = new Failures(() => now)
  const fail = () => failures.failed(new UpstreamError('failed', 'no answer'))
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
  expect(failures.recovered()).toEqual({ failures: 5, seconds: 600 })
  expect(failures.recovered()).toBeUndefined()
})

test('pauses grow and have an end', () => {
  const failures = new Failures(() => 0)
  const pauses = Array.from({ length: 12 }, () => failures.failed(new UpstreamError('timeout', 'late')).pauseMs)
  expect(pauses.slice(0, 4)).toEqual([250, 500, 1000, 2000])
  expect(pauses.at(-1)).toBe(15_000)
})

test('what only the owner can mend is an error at once; what is ours is not told to him in our words', () => {
  const failures = new Failures(() => 0)
  const verdict = failures.failed(new Misconfigured('source.network_mismatch', 'two networks'))
  expect(verdict).toMatchObject({ isError: true, code: 'source.network_mismatch', pauseMs: 60_000 })
  const ours = new Failures(() => 0)
  for (let at = 0; at < 2; at += 1) ours.failed(new Error('password authentication failed'))
  expect(ours.failed(new Error('password authentication failed')).line?.message).not.toContain('password')
})
