import { expect, test } from 'vitest'
import { conditionWords } from './condition-words.ts'

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
