import { expect, test } from 'vitest'
import { amountIn } from './amount.ts'

test('the amount of a text has grouped digits and few decimals', () => {
  expect(amountIn('2450000 USDC moved')).toEqual({ value: '2,450,000', unit: 'USDC' })
  expect(amountIn('Whale sent 1,234,567.500000000000000000 stETH')).toEqual({ value: '1,234,567.5', unit: 'stETH' })
  expect(amountIn('Utilisation is 94.2 % of the pool')).toEqual({ value: '94.2', unit: '%' })
  expect(amountIn('0.99581234 ETH')).toEqual({ value: '0.9958', unit: 'ETH' })
  expect(amountIn('0.99996 ETH')).toEqual({ value: '1', unit: 'ETH' })
  expect(amountIn('1.23456 ETH')).toEqual({ value: '1.2346', unit: 'ETH' })
  expect(amountIn('0.00001234 ETH')).toEqual({ value: '0.000012', unit: 'ETH' })
  expect(amountIn('10.00 DOT')).toEqual({ value: '10', unit: 'DOT' })
})

test('a number without a unit is no amount', () => {
  expect(amountIn('Tick at 12:30')).toBeUndefined()
  expect(amountIn('Signed by 3 of 5')).toBeUndefined()
  expect(amountIn('Transfer to 0x12ab34cd')).toBeUndefined()
  expect(amountIn('5 blocks behind')).toBeUndefined()
})
