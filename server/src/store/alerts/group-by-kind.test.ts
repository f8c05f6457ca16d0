import { expect, test } from 'vitest'
import { groupByKind } from './group-by-kind.ts'

const rows = ['a1', 'b1', 'a2', 'c1', 'b2', 'a3']
const letterOf = (row: string) => row.slice(0, 1)
const kindOf = (row: string) => ({ name: letterOf(row) })
const grouped = {
  kinds: [
    { name: 'a', place: 0 },
    { name: 'b', place: 1 },
    { name: 'c', place: 2 },
  ],
  places: [0, 1, 0, 2, 1, 0],
}

test('rows of one kind share one entry, also if rows of other kinds are between them', () => {
  expect(groupByKind(rows, { keyOf: letterOf, kindOf })).toEqual(grouped)
})

test('a row like the last one of its owner needs no key, and any other row is found by its key', () => {
  const keys: string[] = []
  const keyOf = (row: string) => {
    keys.push(row)
    return letterOf(row)
  }
  const isSame = (a: string, b: string) => letterOf(a) === letterOf(b)
  expect(groupByKind(rows, { keyOf, kindOf, isSame, ownerOf: letterOf })).toEqual(grouped)
  expect(keys).toEqual(['a1', 'b1', 'c1'])
  expect(groupByKind(rows, { keyOf, kindOf, isSame, ownerOf: () => null })).toEqual(grouped)
})
