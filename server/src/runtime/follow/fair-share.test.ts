import { expect, test } from 'vitest'
import { shareOf, surplusOf } from './fair-share.ts'

const alive = (...ids: string[]) => ids.map((id) => ({ id, lacks: 0 }))

test('the shares are equal within one source, and together they are all sources', () => {
  for (const sources of [0, 1, 2, 7, 10, 500])
    for (const ids of [['a'], ['a', 'b'], ['a', 'b', 'c', 'd']]) {
      const shares = ids.map((id) => shareOf(sources, alive(...ids), id))
      expect(shares.reduce((sum, share) => sum + share)).toBe(sources)
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
    }
})

test('a process that joins changes the share of the oldest process least', () => {
  expect(shareOf(1, alive('old', 'new'), 'old')).toBe(1)
  expect(shareOf(1, alive('old', 'new'), 'new')).toBe(0)
})

test('a process that the store does not list counts itself as one more', () => {
  expect(shareOf(10, [], 'a')).toBe(10)
  expect(shareOf(10, alive('b'), 'a')).toBe(5)
})

test('a process hands over what is above its share, and never more than the others lack', () => {
  const processes = [
    { id: 'a', lacks: 9 },
    { id: 'b', lacks: 2 },
    { id: 'c', lacks: 1 },
  ]
  expect(surplusOf(10, 4, processes, 'a')).toBe(3)
  expect(surplusOf(5, 4, processes, 'a')).toBe(1)
  expect(surplusOf(3, 4, processes, 'a')).toBe(0)
  expect(surplusOf(10, 4, alive('a', 'b'), 'a')).toBe(0)
})
