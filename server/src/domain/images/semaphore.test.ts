import { expect, test } from 'vitest'
import { makeSemaphore } from './semaphore.ts'

test('no more callers run than there are slots, in order, and a failure frees its slot', async () => {
  const pass = makeSemaphore(2)
  const begun: number[] = []
  let inside = 0
  let insideMost = 0
  const work = (i: number) => async () => {
    begun.push(i)
    inside += 1
    insideMost = Math.max(insideMost, inside)
    await new Promise((resolve) => setImmediate(resolve))
    inside -= 1
    if (i % 3 === 0) throw new Error('failed')
    return i
  }
  const settled = await Promise.allSettled(Array.from({ length: 10 }, (_, i) => pass(work(i))))
  expect(insideMost).toBe(2)
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(4)
})
