import { expect, test } from 'vitest'
import { makeKeptReads } from './kept-reads.ts'

test('an answer is read once, also by callers at the same time; a failure is not stored', async () => {
  const kept = makeKeptReads()
  let reads = 0
  const read = async () => ++reads
  expect(await Promise.all([kept.read('a', read), kept.read('a', read)])).toEqual([1, 1])
  expect([await kept.read('a', read), await kept.read('b', read)]).toEqual([1, 2])
  const down = kept.read('c', () => Promise.reject(new Error('down')))
  await expect(down).rejects.toThrow('down')
  expect(await kept.read('c', read)).toBe(3)
})

test('the answers that were used least recently are dropped', async () => {
  const kept = makeKeptReads(2)
  const read = (value: number) => async () => value
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
  ] as const)
    await kept.read(key, read(value))
  expect([await kept.read('a', read(5)), await kept.read('b', read(6))]).toEqual([1, 6])
})

test('an answer that may change is shared by callers at the same time and read again by later ones', async () => {
  const kept = makeKeptReads()
  let reads = 0
  const read = () =>
    kept.read(
      'a',
      async () => ++reads,
      (answer) => answer > 1,
    )
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  expect([await read(), await read()]).toEqual([2, 2])
})
