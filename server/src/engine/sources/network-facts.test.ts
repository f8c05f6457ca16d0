import { expect, test } from 'vitest'
import { explorerLink, nativeToken, networkFacts } from './network-facts.ts'

const hash = `0x${'ab'.repeat(32)}`
const address = `0x${'cd'.repeat(20)}`
const genesis = '0x91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3'
const ethereum = networkFacts('evm', { chainId: '1' })
const polkadot = networkFacts('substrate', { genesisHash: genesis })
const devnet = networkFacts('solana', { genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG' })
const program = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const account = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'
const signature = '5'.repeat(88)

test.each([
  [ethereum, hash, `https://etherscan.io/tx/${hash}`],
  [ethereum, address, `https://etherscan.io/address/${address}`],
  [ethereum, 5, 'https://etherscan.io/block/5'],
  [ethereum, '123', 'https://etherscan.io/block/123'],
  [ethereum, { number: 7, hash }, 'https://etherscan.io/block/7'],
  [polkadot, hash, `https://polkadot.subscan.io/extrinsic/${hash}`],
  [polkadot, '123-2', 'https://polkadot.subscan.io/extrinsic/123-2'],
  [polkadot, account, `https://polkadot.subscan.io/account/${account}`],
  [polkadot, { number: 7 }, 'https://polkadot.subscan.io/block/7'],
  [devnet, signature, `https://solscan.io/tx/${signature}?cluster=devnet`],
  [devnet, program, `https://solscan.io/account/${program}?cluster=devnet`],
  [devnet, { slot: 9 }, 'https://solscan.io/block/9?cluster=devnet'],
])('%o links to %s', (facts, value, link) => expect(explorerLink(facts, value)).toBe(link))

test.each([undefined, null, '', 'javascript:alert(1)', '0x12', -1, 1.5, [1], {}, { number: null }])(
  '%s has no page',
  (value) => expect(explorerLink(ethereum, value)).toBeUndefined(),
)

test('what a source sets comes before what is known of its network; an unknown network has no explorer', () => {
  const explorer = { url: 'https://scan.example.org/base/' }
  const nativeCurrency = { name: 'Test', symbol: 'TST', decimals: 2 }
  const own = networkFacts('evm', { chainId: '1' }, { explorer, nativeCurrency })
  expect(own).toEqual({ kind: 'evm', networkName: 'Ethereum', explorer, nativeCurrency })
  expect(explorerLink(own, 1)).toBe('https://scan.example.org/base/block/1')
  const unknown = networkFacts('evm', { chainId: '31337' })
  expect(unknown).toEqual({ kind: 'evm' })
  expect(explorerLink(unknown, 1)).toBeUndefined()
})

test('the native currency of an unknown network has the usual decimals of its kind, if there are such', () => {
  expect(nativeToken(ethereum)).toMatchObject({ symbol: 'ETH', decimals: 18 })
  expect(nativeToken(networkFacts('evm', {}))).toEqual({ symbol: null, decimals: 18 })
  expect(nativeToken(networkFacts('solana', {}))).toEqual({ symbol: 'SOL', decimals: 9 })
  expect(nativeToken(networkFacts('substrate', {}))).toBeUndefined()
})
