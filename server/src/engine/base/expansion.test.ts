import { expect, test } from 'vitest'
import { isExplosive, type References } from './expansion.ts'

const doubling = (levels: number): References =>
  new Map(Array.from({ length: levels }, (_, level) => [`s${level}`, [`s${level + 1}`, `s${level + 1}`]]))

test('types that double at every level are told before they are written out', () => {
  expect(isExplosive(doubling(5))).toBe(false)
  expect(isExplosive(doubling(400))).toBe(true)
})

test('a type that reaches itself is told', () => {
  expect(
    isExplosive(
      new Map([
        ['a', ['b']],
        ['b', ['a']],
      ]),
    ),
  ).toBe(true)
})
