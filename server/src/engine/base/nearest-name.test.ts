import { expect, test } from 'vitest'
import { nearestName } from './nearest-name.ts'

test.each<[string, string[], string | undefined]>([
  ['amuont', ['amount', 'account'], 'amount'],
  ['suply', ['assets', 'supply'], 'supply'],
  ['VALUE', ['value'], 'value'],
  ['form', ['value', 'from'], 'from'],
  ['abc', ['xyz', 'axxc'], undefined],
  ['from_', ['from', 'value'], 'from'],
  ['recipient', ['to', 'value'], undefined],
  ['x', [], undefined],
  ['a'.repeat(65), ['a'.repeat(64)], undefined],
])('the nearest name of %s among %j is %s', (sought, names, nearest) => {
  expect(nearestName(sought, names)).toBe(nearest)
})
