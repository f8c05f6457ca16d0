import { expect, test } from 'vitest'
import { nothingSelected, type Selection, selectRow } from './selection.tsx'

const order = ['a', 'b', 'c', 'd', 'e']
const keysOf = ({ keys }: Selection) => [...keys].toSorted()
const click = (before: Selection, key: string) => selectRow(before, order, key, false)
const shiftClick = (before: Selection, key: string) => selectRow(before, order, key, true)

test('a click selects a row, and another takes it out', () => {
  const one = click(nothingSelected, 'b')
  expect(keysOf(one)).toEqual(['b'])
  expect(keysOf(click(one, 'b'))).toEqual([])
})

test('shift selects all rows from the last one, upwards and downwards', () => {
  expect(keysOf(shiftClick(click(nothingSelected, 'b'), 'd'))).toEqual(['b', 'c', 'd'])
  expect(keysOf(shiftClick(click(nothingSelected, 'd'), 'b'))).toEqual(['b', 'c', 'd'])
})

test('shift on a selected row takes the range out', () => {
  const all = shiftClick(click(nothingSelected, 'a'), 'e')
  expect(keysOf(shiftClick(click(all, 'b'), 'd'))).toEqual(['a', 'e'])
})

test('shift without a first row, or after that row left the page, selects one row', () => {
  expect(keysOf(shiftClick(nothingSelected, 'c'))).toEqual(['c'])
  expect(keysOf(shiftClick({ keys: new Set(['gone']), anchor: 'gone' }, 'c'))).toEqual(['c', 'gone'])
})
