import { expect, test } from 'vitest'
import { marksOf } from './marks.ts'

test.each([
  [
    'line 2, column 8: ReferenceError: x is not defined',
    { line: 2, column: 8, message: 'ReferenceError: x is not defined' },
  ],
  ['Unexpected token at line 1, column 9', { line: 1, column: 9, message: 'Unexpected token' }],
  ['it threw (line 3)', { line: 3, message: 'it threw' }],
  ['needs source or rawSource', { line: 1, message: 'needs source or rawSource' }],
])('"%s" is shown in its line', (message, mark) => {
  expect(marksOf([{ path: 'activation', message }], /^activation/)).toEqual([mark])
})
