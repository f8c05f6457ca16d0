import { chainDescriptions } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { setChains } from '../../../data/chains.ts'
import { addressIn, addressIssue } from './addresses.ts'
import { groupThousands } from './group-thousands.ts'

setChains(chainDescriptions)

const [evm, solana] = ['0x742d35Cc6634C0532925a3b844Bc454e4438f44e', '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin']

test('a pasted address of another chain is named with what to do', () => {
  const devnet = { kind: 'evm', title: 'Devnet' } as const
  expect(addressIssue(evm, devnet)).toBeUndefined()
  expect(addressIssue(solana, devnet)).toMatch(/^This looks like an address of a Solana network\. Choose such/)
  expect(addressIssue('0x12', devnet)).toBe(
    'This is not an address of Devnet. It begins with 0x and has 42 characters.',
  )
  expect(addressIssue(`0x${'ab'.repeat(32)}`, devnet)).toMatch(/^This is the hash of a transaction or a block\./)
  expect(addressIssue('', devnet)).toBe('Enter an address.')
  expect(addressIssue(evm, { kind: 'substrate', title: 'Polkadot' })).toMatch(/an EVM network/)
})

test('the address in the URL of an explorer is taken', () => {
  expect(addressIn(`https://etherscan.io/address/${evm}#code`)).toBe(evm)
  expect(addressIn(`https://etherscan.io/token/${evm}?a=1`)).toBe(evm)
  expect(addressIn(`https://solscan.io/account/${solana}`)).toBe(solana)
  expect(['https://etherscan.io', 'vitalik.eth', evm].map(addressIn)).toEqual([
    'https://etherscan.io',
    'vitalik.eth',
    evm,
  ])
})

test('numbers are grouped', () => {
  expect(['1234567.5', '999', '0.25', ''].map(groupThousands)).toEqual(['1,234,567.5', '999', '0.25', '…'])
})
