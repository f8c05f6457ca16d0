import { expect, test } from 'vitest'
import { RpcError } from '../../engine/outbound/json-rpc.ts'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import { Patience } from './patience.ts'

const absent = new UpstreamError('bad_answer', 'The node does not give block 7, which exists.')

test('a block that cannot be read yet is waited for, five block times and at least ten seconds', () => {
  let now = 0
  let usualMs: number | undefined
  const patience = new Patience(
    {
      get usualMs() {
        return usualMs
      },
    },
    () => now,
  )
  expect(patience.allows(7, absent)).toBe(true)
  now = 9_999
  expect(patience.allows(7, new RpcError(-32000, 'unknown block'))).toBe(true)
  now = 10_000
  expect(patience.allows(7, absent)).toBe(false)
  usualMs = 4_000
  expect(patience.allows(7, absent)).toBe(true)
  now = 20_000
  expect(patience.allows(7, absent)).toBe(false)
  expect(patience.allows(8, absent)).toBe(true)
  usualMs = 60_000
  now = 50_000
  expect(patience.allows(8, absent)).toBe(false)
})

test('a node that does not answer is not waited for in this way', () => {
  const patience = new Patience({ usualMs: undefined }, () => 0)
  for (const kind of ['failed', 'timeout', 'too_large', 'refused'] as const)
    expect(patience.allows(7, new UpstreamError(kind, 'no')), kind).toBe(false)
  expect(patience.allows(7, new Error('ours'))).toBe(false)
})
