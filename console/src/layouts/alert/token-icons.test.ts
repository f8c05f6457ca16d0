import { expect, test } from 'vitest'
import { tokenIcon } from './amount.ts'

test('a token has its icon by its symbol, and an unknown one has none', () => {
  expect(tokenIcon('USDC')).toBeDefined()
  expect(tokenIcon('USDC')).not.toBe(tokenIcon('USDT'))
  expect(tokenIcon('USDC.e')).toBe(tokenIcon('USDC'))
  expect(tokenIcon('WETH')).toBe(tokenIcon('ETH'))
  expect(tokenIcon('ACME')).toBeUndefined()
  expect(tokenIcon('%')).toBeUndefined()
  expect(tokenIcon(undefined)).toBeUndefined()
})
