import { expect, test } from 'vitest'
import { splitAtGaps } from './line-chart.tsx'

test('a line breaks where points are missing, and is whole without a limit', () => {
  const points = [0, 1, 2, 7, 8, 20].map((x) => ({ x }))
  const xs = (gapMin?: number) => splitAtGaps(points, gapMin).map((part) => part.map(({ x }) => x))
  expect(xs(2)).toEqual([[0, 1, 2], [7, 8], [20]])
  expect(xs()).toEqual([[0, 1, 2, 7, 8, 20]])
  expect(splitAtGaps([], 2)).toEqual([])
})
