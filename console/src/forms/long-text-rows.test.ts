import { expect, test } from 'vitest'
import { rowsOf } from './long-text.tsx'

test.each([
  ['', 1],
  ['one', 1],
  ['one\ntwo\n', 3],
  ['x'.repeat(200), 3],
  [`${'x'.repeat(200)}\ny`, 4],
  ['line\n'.repeat(10_000), 16],
])('the rows of a text', (text, rows) => {
  expect(rowsOf(text, 1, 16)).toBe(rows)
})

test('a short text has the least number of rows', () => {
  expect(rowsOf('one', 3, 16)).toBe(3)
})
