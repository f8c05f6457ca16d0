import { expect, test } from 'vitest'
import { HeadBlock } from './head-block.ts'

function keeping() {
  const clock = { ms: 0 }
  const byNumber = (method: string, _params: unknown, answer: unknown): [string, unknown] | undefined =>
    method === 'head' ? ['block', [answer]] : undefined
  return { clock, head: new HeadBlock(byNumber, () => clock.ms) }
}

test('the block that the head call returned answers the call for that block, once', () => {
  const { head } = keeping()
  head.store('head', [], 7)
  expect(head.take('block', [8])).toBeUndefined()
  expect(head.take('block', [7])).toBe(7)
  expect(head.take('block', [7])).toBeUndefined()
  head.store('other', [], 7)
  expect(head.take('block', [7])).toBeUndefined()
})

test('an old head is read again, and a new head replaces it', () => {
  const { clock, head } = keeping()
  head.store('head', [], 7)
  clock.ms = 10_000
  expect(head.take('block', [7])).toBeUndefined()
  head.store('head', [], 7)
  head.store('head', [], 8)
  expect(head.take('block', [7])).toBeUndefined()
  expect(head.take('block', [8])).toBe(8)
})
