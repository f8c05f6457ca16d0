import { expect, test } from 'vitest'
import { makeLruCache } from './lru-cache.ts'

const held = (cache: { has(key: string): boolean }, keys: string) => [...keys].filter(cache.has).join('')

test('a full cache drops the key that was used least recently', () => {
  const cache = makeLruCache<number>(3)
  for (const key of 'abcad') cache.get(key, () => 1)
  expect(held(cache, 'abcd')).toBe('acd')
})

test('a cache with sizes drops keys until the others fit, but never the newest', () => {
  const cache = makeLruCache<number>(10, (_, size) => size)
  for (const [key, size] of Object.entries({ a: 4, b: 4, c: 5 })) cache.get(key, () => size)
  expect(held(cache, 'abc')).toBe('bc')
  cache.delete('b')
  cache.get('d', () => 5)
  expect(held(cache, 'abcd')).toBe('cd')
  cache.get('e', () => 50)
  expect(held(cache, 'abcde')).toBe('e')
})
