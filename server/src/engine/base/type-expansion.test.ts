import { expect, test } from 'vitest'
import { expandsTooFar, type References } from './type-expansion.ts'

const doubling = (levels: number): References =>
  new Map(Array.from({ length: levels }, (_, level) => [`s${level}`, [`s${level + 1}`, `s${level + 1}`]]))

test('types that double at every level are found without expanding them', () => {
  expect(expandsTooFar(doubling(5))).toBe(false)
  expect(expandsTooFar(doubling(400))).toBe(true)
})

test('a recursive type is found', () => {
  expect(
    expandsTooFar(
      new Map([
        ['a', ['b']],
        ['b', ['a']],
      ]),
    ),
  ).toBe(true)
})
