import { chainDescriptions } from '@tocsin/contract'
import { describe, expect, test } from 'vitest'
import { setChains } from '../../data/chains.ts'
import { chainOfAddress, chainOfName, isAddress, shortAddress, splitAddresses } from './address-form.ts'

setChains(chainDescriptions)

const [evm, ss58, solana] = [
  '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
  '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
  '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
]

test.each([
  [evm, 'evm'],
  [ss58, 'ss58'],
  [solana, 'solana'],
  ['11111111111111111111111111111111', 'solana'],
  ['vitalik.eth', undefined],
  ['0x123', undefined],
  ['hello', undefined],
  [`${evm}0`, undefined],
])('%s is an address of the type %s', (text, type) => expect(chainOfAddress(text)?.address.type).toBe(type))

test('a name that stands for an address belongs to the chain with such names', () => {
  expect(chainOfName('vitalik.eth')?.kind).toBe('evm')
  expect(chainOfName('vitalik')).toBeUndefined()
})

test('addresses are shortened', () => {
  expect(shortAddress(evm)).toBe('0x742d…f44e')
  expect(shortAddress(solana)).toBe('9xQe…VFin')
})

test('only the form of the network counts; without a network, only the EVM form', () => {
  expect([evm, ss58, solana].map((text) => isAddress(text, 'solana'))).toEqual([false, false, true])
  expect([evm, ss58, solana].map((text) => isAddress(text, undefined))).toEqual([true, false, false])
})

describe('in a text', () => {
  const addressesIn = (text: string, kind: Parameters<typeof splitAddresses>[1] = 'evm') =>
    splitAddresses(text, kind).flatMap((part) => (part.isAddress ? [part.text] : []))

  test('addresses are found beside punctuation, and the parts together are the text', () => {
    const text = `From ${evm}, to (${evm}): 5 TKN.`
    expect(addressesIn(text)).toEqual([evm, evm])
    const parts = splitAddresses(text, 'evm')
    expect(parts.map((part) => part.text).join('')).toBe(text)
    expect(parts.every((part) => text.startsWith(part.text, part.at))).toBe(true)
    expect(addressesIn(`${ss58} pays`, 'substrate')).toEqual([ss58])
  })

  test.each([
    ['hashes and longer words', `0x${'ab'.repeat(32)} ${evm}0 a${evm}`],
    ['the addresses in a URL', `https://etherscan.io/address/${evm}?a=${evm}`],
    ['nothing', ''],
  ])('%s are not addresses', (_, text) => expect(addressesIn(text)).toEqual([]))
})
