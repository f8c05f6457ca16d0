import { expect, test } from 'vitest'
import { parseExpression } from '../evm/expression.ts'
import { expressionOf, type MessageFilter } from './expressions.ts'
import { templateFrom } from './outlets.ts'

const address = `0x${'a1'.repeat(20)}`

test.each<[MessageFilter, string]>([
  [{ filter_expression: "a = 1 || b >= 2 && !(c != 'x && !y')" }, "a = 1 OR b >= 2 AND NOT (c != 'x && !y')"],
  [{ filter_expression: '$value > 5', conditions: [{ value: '>1' }] }, 'value > 5'],
  [{ conditions: [{ value: '>=10&&<=20||>30' }] }, '(value >=10 AND value <=20 OR value >30)'],
  [{ conditions: [{ value: '>=10 && value <= 20' }] }, '(value >=10 AND value <= 20)'],
  [{ conditions: [{ from: `${address} || ${address}` }] }, `(from == ${address} OR from == ${address})`],
  [{ conditions: [{ 'quote.id': '=1' }, { ok: 'true' }] }, '(quote.id =1) AND (ok == true)'],
])('%j', (message, expected) => {
  const text = expressionOf(message)
  expect(text?.replaceAll(/\s+/g, ' ')).toBe(expected)
  expect(() => parseExpression(text ?? '')).not.toThrow()
})

test('a message without a filter has no expression', () => {
  expect(expressionOf({})).toBeUndefined()
  expect(expressionOf({ conditions: [] })).toBeUndefined()
})

test('the fields of a template are read from the event data', () => {
  expect(templateFrom('{{from}}: {{format_value(value, 18)}} {{list.0.id}} {{unknown(x)}}')).toBe(
    '{{raw.event_data.from}}: {{format raw.event_data.value decimals=18}} {{raw.event_data.list.[0].id}} {{unknown(x)}}',
  )
})
