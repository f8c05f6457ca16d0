import { expect, test } from 'vitest'
import { makeTokenCache } from './token-cache.ts'

test('a token is read once, also by callers at the same time; a failure is not stored', async () => {
  const tokens = makeTokenCache()
  let reads = 0
  const read = async () => ++reads
  expect(await Promise.all([tokens.read('a', read), tokens.read('a', read)])).toEqual([1, 1])
  expect([await tokens.read('a', read), await tokens.read('b', read)]).toEqual([1, 2])
  const down = tokens.read('c', () => Promise.reject(new Error('down')))
  await expect(down).rejects.toThrow('down')
  expect(await tokens.read('c', read)).toBe(3)
})

test('the tokens that were used least recently are dropped', async () => {
  const tokens = makeTokenCache(2)
  const read = (value: number) => async () => value
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
  ] as const)
    await tokens.read(key, read(value))
  expect([await tokens.read('a', read(5)), await tokens.read('b', read(6))]).toEqual([1, 6])
})
