import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitMatches } from './split.ts'

test('every listener gets every item once, in chunks that are not too large', () => {
  const counts = fc.array(fc.oneof(fc.nat(3), fc.constantFrom(999, 1000, 1001, 2500)), { maxLength: 150 })
  fc.assert(
    fc.property(counts, (concerned) => {
      const matches = concerned.map((count, n) => ({
        key: String(n),
        item: {},
        listeners: Array.from({ length: count }, (_, at) => `s${at}:`),
      }))
      const heard = new Map<string, string[]>()
      const first = new Set<string>()
      for (const chunk of splitMatches(matches, 100)) {
        expect(chunk.length).toBeLessThanOrEqual(100)
        expect(chunk.reduce((sum, { listeners }) => sum + listeners.length, 0)).toBeLessThanOrEqual(1000)
        for (const { key, listeners, isRetryFor } of chunk) {
          heard.set(key, [...(heard.get(key) ?? []), ...listeners])
          // Triggers that listen to the outputs get each output once.
          expect(first.has(key)).toBe(isRetryFor === 'listeners')
          first.add(key)
        }
      }
      expect([...heard]).toEqual(matches.map(({ key, listeners }) => [key, listeners]))
    }),
    { numRuns: 60 },
  )
})
