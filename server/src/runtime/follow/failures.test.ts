import { expect, test } from 'vitest'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import { Failures, LastingTrouble, Misconfigured } from './failures.ts'

test('the first three failures are transient, the fourth is an error, and it is logged once in ten minutes', () => {
  let now = 0
  const failures = new Failures(() => now)
  const fail = () => failures.record(new UpstreamError('failed', 'no answer'))
  expect([fail(), fail(), fail()].map(({ isError, line }) => [isError, line])).toEqual([
    [false, undefined],
    [false, undefined],
    [false, undefined],
  ])
  expect(fail()).toMatchObject({
    isError: true,
    line: { level: 'error', message: 'no answer', details: { failures: 4 } },
  })
  expect(fail().line).toBeUndefined()
  now = 600_000
  expect(fail().line).toMatchObject({ details: { failures: 6 } })
  expect(failures.end()).toEqual({ failures: 6, seconds: 600 })
  expect(failures.end()).toBeUndefined()
})

test('a node that fails is asked every 2 s, a failure of the service itself has longer pauses', () => {
  const pausesAfter = (error: Error) => {
    const failures = new Failures(() => 0)
    return Array.from({ length: 12 }, () => failures.record(error).retryDelayMs)
  }
  expect(pausesAfter(new UpstreamError('timeout', 'late')).slice(0, 4)).toEqual([250, 500, 1000, 2000])
  expect(pausesAfter(new UpstreamError('timeout', 'late')).at(-1)).toBe(2_000)
  expect(pausesAfter(new Error('no store')).at(-1)).toBe(15_000)
})

test('each new cause is logged when it comes, a cause that differs only in its numbers is not, and there are at most ten', () => {
  const failures = new Failures(() => 0)
  const linesOf = (...messages: string[]) =>
    messages.flatMap((message) => failures.record(new LastingTrouble(message)).line?.message ?? [])
  expect(linesOf('no answer within 9998 ms', 'no answer within 9997 ms')).toEqual(['no answer within 9998 ms'])
  expect(linesOf('State already discarded', 'no answer within 1 ms')).toEqual(['State already discarded'])
  expect(linesOf(...Array.from('abcdefghijklmnop', (letter) => `cause ${letter}`))).toHaveLength(8)
  expect(failures.record(new LastingTrouble('one more')).message).toBe('one more')
})

test('a misconfigured source is in error at once; the text of an internal error is not shown to its owner', () => {
  const failures = new Failures(() => 0)
  const decision = failures.record(new Misconfigured('source.network_mismatch', 'two networks'))
  expect(decision).toMatchObject({ isError: true, code: 'source.network_mismatch', retryDelayMs: 60_000 })
  const ours = new Failures(() => 0)
  for (let at = 0; at < 3; at += 1) ours.record(new Error('password authentication failed'))
  expect(ours.record(new Error('password authentication failed')).line?.message).not.toContain('password')
})
