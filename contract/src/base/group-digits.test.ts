import { expect, test } from 'vitest'
import { groupDigits } from './group-digits.ts'

test('numbers have their thousands grouped, and other texts stay as they are', () => {
  expect(['1234567.50', '-1000', '999', '0x1234', '12345 USDC'].map(groupDigits)).toEqual([
    '1,234,567.50',
    '-1,000',
    '999',
    '0x1234',
    '12345 USDC',
  ])
})
