import { expect, test } from 'vitest'
import { barPlaces, countScale, exactNumber, valueScale } from './scale.ts'

test('counts have a scale from zero to a round number, with whole numbers as ticks', () => {
  const scale = countScale([3, 17], [100, 0])
  expect([scale.ticks, scale.at(0), scale.at(20)]).toEqual([[0, 5, 10, 15, 20], 100, 0])
  expect(countScale([], [100, 0]).ticks).toEqual([0, 1])
  expect(countScale([2], [100, 0]).ticks).toEqual([0, 1, 2])
})

test('bars share the width and do not touch', () => {
  const { width, left } = barPlaces(4, [0, 100])
  expect([width, left(0), left(3)].map(Math.round)).toEqual([20, 3, 78])
})

test('values have a scale around them, also if they are far from zero or all the same', () => {
  const { ticks } = valueScale([1.0501, 1.0522], [100, 0])
  expect([Math.min(...ticks) > 1, new Set(ticks.map(exactNumber)).size]).toEqual([true, ticks.length])
  const same = valueScale([7, 7], [100, 0])
  expect(same.at(7)).toBeGreaterThan(0)
  expect(same.at(7)).toBeLessThan(100)
})
