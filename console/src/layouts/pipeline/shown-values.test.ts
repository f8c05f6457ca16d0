import { expect, test } from 'vitest'
import { shownValues } from './shown-values.ts'

test.each([
  [{ amount: '7', symbol: 'ACME', more: 1 }, 'amount 7, symbol ACME'],
  [{ nested: {}, list: [1], ok: true }, 'ok true'],
  ['0x7a69', '0x7a69'],
  [{ text: 'many words '.repeat(9) }, 'text many words many words many words many wo…'],
  [{}, undefined],
  [null, undefined],
])('%j in one line', (output, shown) => {
  expect(shownValues(output)).toBe(shown)
})
