import { expect, test } from 'vitest'
import { conditionWords } from './condition-words.ts'
import { severityWords } from './severity-words.ts'

test.each([
  [{ param: 'amount', op: 'gte', value: '1000' }, 'amount is at least 1,000'],
  [{ param: 'name', op: 'eq', value: null }, 'name is empty'],
  [{ param: 'to', op: 'in', value: { list: 'acme.exchanges' } }, 'to is one of the address list acme.exchanges'],
  [{ param: 'value', op: 'gt', value: { amount: '5', decimals: 18 } }, 'value is more than 5 (18 decimals)'],
  [
    {
      all: [
        { param: 'a', op: 'in', value: ['x', 'y'] },
        {
          any: [
            { param: 'b', op: 'ne', value: 1 },
            { param: 'c', op: 'eq', value: true },
          ],
        },
      ],
    },
    'a is one of x, y and (b is not 1 or c is true)',
  ],
  [{ not: { param: 'a', op: 'startsWith', value: '0x' } }, 'not (a starts with 0x)'],
  [{ param: 'legs', contains: { param: 'side', op: 'eq', value: 'buy' } }, 'legs has an element for which side is buy'],
])('%j in words', (condition, words) => {
  expect(conditionWords(condition)).toBe(words)
})

test('another field is said as a product and a sum', () => {
  const words = (value: unknown) => conditionWords({ param: 'providers.assets', op: 'lt', value })
  expect(words({ path: 'providers.supply', times: '0.98' })).toBe('assets is less than 0.98 × supply')
  expect(words({ path: 'source.params.least' })).toBe('assets is less than least')
  expect(words({ path: 'inputs.b', times: '2', plus: '-1000' })).toBe('assets is less than 2 × b − 1,000')
  expect(words({ path: 'inputs.b', plus: 5 })).toBe('assets is less than b + 5')
})

test('a severity by conditions is said rule by rule', () => {
  const rule = { if: { param: 'policy.value', op: 'gt', value: '1000' }, then: 'critical' }
  expect(severityWords([rule, { then: 'warning' }])).toBe(
    'critical if policy.value is more than 1,000, otherwise warning',
  )
  expect(severityWords([rule])).toBe('critical if policy.value is more than 1,000, otherwise info')
})
