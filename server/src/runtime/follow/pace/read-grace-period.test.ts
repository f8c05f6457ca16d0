import { expect, test } from 'vitest'
import { RpcError } from '../../../engine/outbound/json-rpc.ts'
import { UpstreamError } from '../../../engine/outbound/upstream-error.ts'
import { UnprovenBlock } from '../../../engine/sources/block.ts'
import { ReadGracePeriod } from './read-grace-period.ts'

const absent = new UpstreamError('bad_answer', 'The node does not give block 7, which exists.')

test('a block that cannot be read yet is read again for five block times, at least ten seconds', () => {
  let now = 0
  let usualMs: number | undefined
  const gracePeriod = new ReadGracePeriod(
    {
      get usualMs() {
        return usualMs
      },
    },
    () => now,
  )
  expect(gracePeriod.allowsRetry(7, absent)).toBe(true)
  now = 9_999
  expect(gracePeriod.allowsRetry(7, new RpcError(-32000, 'unknown block'))).toBe(true)
  now = 10_000
  expect(gracePeriod.allowsRetry(7, absent)).toBe(false)
  usualMs = 4_000
  expect(gracePeriod.allowsRetry(7, absent)).toBe(true)
  now = 20_000
  expect(gracePeriod.allowsRetry(7, absent)).toBe(false)
  expect(gracePeriod.allowsRetry(8, absent)).toBe(true)
  usualMs = 60_000
  now = 50_000
  expect(gracePeriod.allowsRetry(8, absent)).toBe(false)
})

test('a node that does not answer gets no grace period', () => {
  const gracePeriod = new ReadGracePeriod({ usualMs: undefined }, () => 0)
  for (const kind of ['failed', 'timeout', 'too_large', 'refused'] as const)
    expect(gracePeriod.allowsRetry(7, new UpstreamError(kind, 'no')), kind).toBe(false)
  expect(gracePeriod.allowsRetry(7, new Error('ours'))).toBe(false)
})

test('a block whose answers fail a check is read again until it counts, which takes 25 s', () => {
  let now = 0
  const gracePeriod = new ReadGracePeriod({ usualMs: 1_000 }, () => now)
  const unproven = new UnprovenBlock('The node omitted 1 receipts of block 7.')
  for (; now < 30_000; now += 5_000) expect(gracePeriod.allowsRetry(7, unproven), `${now} ms`).toBe(true)
  now = 40_000
  expect(gracePeriod.allowsRetry(7, unproven)).toBe(false)
})
