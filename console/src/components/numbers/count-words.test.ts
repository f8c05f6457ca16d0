import { expect, test } from 'vitest'
import { countWords, percentWords } from './count-words.ts'

test('one thing and several things have their words', () => {
  expect([countWords(1, 'alert'), countWords(1200, 'delivery', 'deliveries')]).toEqual(['1 alert', '1,200 deliveries'])
})

test('only a whole share is 100 %', () => {
  expect([0, 0.25, 0.99999, 1].map(percentWords)).toEqual(['0 %', '25 %', '99.9 %', '100 %'])
})
