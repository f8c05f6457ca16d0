import { expect, test } from 'vitest'
import { expandsTooFar, type References } from './type-expansion.ts'

const doubling = (levels: number): References =>
  new Map(Array.from({ length: levels }, (_, level) => [`s${level}`, [`s${level + 1}`, `s${level + 1}`]]))

test('types that double at every level are told before they are written out', () => {
  expect(expandsTooFar(doubling(5))).toBe(false)
  expect(expandsTooFar(doubling(400))).toBe(true)
})

test('a type that reaches itself is told', () => {
  expect(
    expandsTooFar(
      new Map([
        ['a', ['b']],
        ['b', ['a']],
      ]),
    ),
  ).toBe(true)
})
