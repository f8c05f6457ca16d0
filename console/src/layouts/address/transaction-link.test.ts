import { expect, test } from 'vitest'
import { transactionOf } from './transaction-link.tsx'

test('the transaction of an item is known on EVM and Solana, and a block has none', () => {
  expect(transactionOf({ item: { transactionHash: '0x1', hash: '0x2' } })).toBe('0x1')
  expect(transactionOf({ item: { transaction: { signature: '5sig' } } })).toBe('5sig')
  expect(transactionOf({ item: { hash: '0x3' }, block: { hash: '0x9' } })).toBe('0x3')
  expect(transactionOf({ item: { hash: '0x9' }, block: { hash: '0x9' } })).toBeUndefined()
  expect(transactionOf({ item: null })).toBeUndefined()
})
