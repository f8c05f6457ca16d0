import { chainDescriptions } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { setChains } from '../../../data/chains.ts'
import { solanaOffers, substrateOffers } from './chain-offers.ts'
import { exampleOf } from './example.ts'
import { checkFilters, conditionsOf, filtersOf, filtersText } from './filters.ts'
import type { Source } from './source.ts'
import { showCoins } from './units.ts'

setChains(chainDescriptions)

const token = { decimals: 6, symbol: 'USDC' }
const inputs = [
  { name: 'from', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
  { name: '', type: 'bool' },
  { name: 'data', type: 'bytes' },
]
const source: Source = {
  ...{ fullname: 'acme.devnet', title: 'Devnet', kind: 'evm', network: 'eip155:1', status: 'running' },
  ...{ configured: true, errorsLastHour: 0, updatedAt: '2026-01-01T00:00:00.000Z' },
}

test('inputs become filters by their types, and amounts of a token have its unit', () => {
  expect(filtersOf({ type: 'call', inputs }, token)).toEqual([
    { param: 'source.from', label: 'Caller', kind: 'address' },
    { param: 'source.params.from', label: 'From', kind: 'address' },
    { param: 'source.params.value', label: 'Value', kind: 'amount', decimals: 6, unit: 'USDC' },
    { param: 'source.params.deadline', label: 'Deadline', kind: 'number' },
    { param: 'source.args.3', label: 'Input 4', kind: 'boolean' },
  ])
})

test('only filters with a value become conditions, and amounts keep all digits', () => {
  const filters = filtersOf({ type: 'event', inputs }, token)
  const values = { 'source.params.value': '1000.000001', 'source.params.from': '', 'source.args.3': 'true' }
  expect(conditionsOf(filters, values)).toEqual([
    { param: 'source.params.value', op: 'gte', value: { amount: '1000.000001', decimals: 6 } },
    { param: 'source.args.3', op: 'eq', value: true },
  ])
  expect(filtersText(filters, values, (text) => text)).toBe(' with value at least 1000.000001 USDC and input 4 true')
  expect(filtersText(filters, {}, (text) => text)).toBe('')
})

test('a value that does not fit its input is named', () => {
  const filters = filtersOf({ type: 'event', inputs }, token)
  expect(checkFilters(filters, { 'source.params.value': 'many', 'source.params.from': '0x12' }, source)).toEqual({
    'source.params.value': 'Enter a number, or nothing.',
    'source.params.from': 'This is not an address of Devnet. It begins with 0x and has 42 characters.',
  })
})

test('the latest example shows amounts of a token in its unit, whole addresses and short hashes', () => {
  const offer = { key: '', type: 'event' as const, name: 'Transfer', inputs, fragment: {} }
  const params = { from: `0x${'aa'.repeat(20)}`, value: '1250500000', deadline: '7' }
  expect(exampleOf(offer, params, token, 'evm')).toBe(`from ${params.from}, value 1,250.5 USDC, deadline 7`)
  expect(exampleOf(offer, { id: `0x${'cc'.repeat(32)}` }, token, 'evm')).toBe('id 0xcccc…cccc')
})

test('a balance is shown in whole coins', () => {
  const ether = { kind: 'evm' as const, nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } }
  expect(showCoins('1234500000000000000000', ether)).toBe('1,234.5 ETH')
  expect(showCoins('1', ether)).toBe('0 ETH')
  expect(showCoins('5', { kind: 'substrate' })).toBe('0 coins')
})

test('an IDL and a pallet offer events and calls with filters at the paths of their items', () => {
  const [bought, buy] = solanaOffers({
    events: [{ name: 'Bought' }],
    types: [
      {
        name: 'Bought',
        type: {
          kind: 'struct',
          fields: [
            { name: 'buyer', type: 'pubkey' },
            { name: 'tags', type: { vec: 'u8' } },
          ],
        },
      },
    ],
    instructions: [
      { name: 'buy_now', accounts: [{ name: 'buyer' }], args: [{ name: 'amount', type: 'u64' }], docs: ['Buys.'] },
    ],
  })
  expect(bought?.filters).toEqual([{ param: 'source.params.buyer', label: 'Buyer', kind: 'address' }])
  expect(buy).toMatchObject({ type: 'call', documentation: 'Buys.' })
  expect(buy?.filters?.map(({ param }) => param)).toEqual(['source.accounts.buyer', 'source.args.amount'])
  const fields = [{ name: 'who', type: 'AccountId32' }, { name: 'amount', type: 'Balance' }, { type: 'u32' }]
  const pallet = {
    name: 'Balances',
    docs: [],
    storage: [],
    calls: [],
    events: [{ name: 'Withdraw', docs: [], fields }],
  }
  const nativeCurrency = { name: 'Dot', symbol: 'DOT', decimals: 10 }
  const [withdraw] = substrateOffers(pallet, { ...source, kind: 'substrate', nativeCurrency })
  expect(withdraw?.fragment).toEqual({ name: 'Withdraw', pallet: 'Balances' })
  expect(withdraw?.filters).toEqual([
    { param: 'source.params.who', label: 'Who', kind: 'address' },
    { param: 'source.params.amount', label: 'Amount', kind: 'amount', decimals: 10, unit: 'DOT' },
  ])
})
