import fc from 'fast-check'
import { expect, test } from 'vitest'
import { includesText } from './find-text.ts'

const few = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 })

test('it finds exactly what includes finds', () => {
  fc.assert(
    fc.property(few, few, (holder, wanted) => includesText(holder, wanted) === holder.includes(wanted)),
    {
      numRuns: 5_000,
      seed: 7,
    },
  )
  for (const wanted of ['', 'abababab', 'aaaaaaaab', 'xaaaaaaaa', 'é'.repeat(9)])
    for (const holder of ['', 'abababab', 'aaaaaaaaaaaab', 'aaaaaaaa', `y${'é'.repeat(12)}`])
      expect(includesText(holder, wanted), `${wanted} in ${holder}`).toBe(holder.includes(wanted))
})

test('a search for which includes takes seconds compares each letter at most twice', () => {
  const [holder, wanted] = ['a'.repeat(400_000), `${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`]
  const charCodeAt = String.prototype.charCodeAt
  let reads = 0
  String.prototype.charCodeAt = function (at) {
    reads++
    return charCodeAt.call(this, at)
  }
  try {
    expect(includesText(holder, wanted)).toBe(false)
  } finally {
    String.prototype.charCodeAt = charCodeAt
  }
  expect(reads).toBeLessThan(4 * (holder.length + wanted.length))
})
