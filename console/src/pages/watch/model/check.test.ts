import { describe, expect, test } from 'vitest'
import { addressIssue, formOf, shortAddress } from './addresses.ts'
import { groupThousands } from './group-thousands.ts'

const [evm, ss58, solana] = [
  '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
  '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
  '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
]

describe('a pasted text', () => {
  test.each([
    [evm, 'evm'],
    [ss58, 'ss58'],
    [solana, 'solana'],
    ['11111111111111111111111111111111', 'solana'],
    ['vitalik.eth', 'ens'],
    ['0x123', undefined],
    ['hello', undefined],
    [`${evm}0`, undefined],
  ])('%s has the form %s', (text, form) => expect(formOf(text)).toBe(form))

  test('an address of another chain is named with what to do', () => {
    const devnet = { kind: 'evm', title: 'Devnet' } as const
    expect(addressIssue(evm, devnet)).toBeUndefined()
    expect(addressIssue(solana, devnet)).toMatch(/^This looks like an address of a Solana network\. Choose such/)
    expect(addressIssue('0x12', devnet)).toBe(
      'This is not an address of Devnet. It begins with 0x and has 42 characters.',
    )
    expect(addressIssue('', devnet)).toBe('Enter an address.')
    expect(addressIssue(evm, { kind: 'substrate', title: 'Polkadot' })).toMatch(/an EVM network/)
  })
})

test('addresses are shortened and numbers grouped', () => {
  expect(shortAddress(evm)).toBe('0x742d…f44e')
  expect(shortAddress(solana)).toBe('9xQe…VFin')
  expect(['1234567.5', '999', '0.25', ''].map(groupThousands)).toEqual(['1,234,567.5', '999', '0.25', '…'])
})
