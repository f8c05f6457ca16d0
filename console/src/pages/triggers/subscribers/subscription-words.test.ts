import { expect, test } from 'vitest'
import { subscriptionWords } from './subscription-words.ts'

test('a number of subscriptions that is not known does not read as none', () => {
  expect([undefined, 0, 1, 1200].map(subscriptionWords)).toEqual([
    'Subscriptions',
    'No subscriptions',
    '1 subscription',
    '1,200 subscriptions',
  ])
})
