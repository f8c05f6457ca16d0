import { expect, test } from 'vitest'
import { groupByKind } from './group-by-kind.ts'

test('rows of one kind share one entry, also if rows of other kinds are between them', () => {
  const rows = ['a1', 'b1', 'a2', 'c1', 'b2', 'a3']
  const { kinds, places } = groupByKind(
    rows,
    (row) => row.slice(0, 1),
    (row) => ({ name: row.slice(0, 1) }),
  )
  expect(kinds).toEqual([
    { name: 'a', place: 0 },
    { name: 'b', place: 1 },
    { name: 'c', place: 2 },
  ])
  expect(places).toEqual([0, 1, 0, 2, 1, 0])
})
