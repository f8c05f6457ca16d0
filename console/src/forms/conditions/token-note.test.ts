import { expect, test } from 'vitest'
import { convertValue, formsFor, valueFormOf } from './condition-values.ts'
import { type ItemToken, tokenNote, unitDecimals } from './token-note.ts'

const usdc: ItemToken = { kind: 'known', symbol: 'USDC', decimals: 6 }

test('a row says in which unit it takes an amount: the token and its own decimals', () => {
  expect(tokenNote('gte', '100', 'token', usdc)).toBe('In whole USDC, with 6 decimals.')
  expect(tokenNote('gte', { amount: '100' }, undefined, { ...usdc, symbol: null })).toBe(
    'In whole tokens, with 6 decimals.',
  )
  expect(tokenNote('gte', '100', 18, undefined)).toBe('In whole units, with 18 decimals.')
  expect(tokenNote('gte', '100', 'token', { kind: 'any' })).toMatch(/^In whole tokens, by the decimals/)
  expect(tokenNote('gte', '100', 'token', undefined)).toMatch(/^In whole tokens, by the decimals/)
})

test('a row says that the contract tells no decimals, instead of taking 18', () => {
  expect(tokenNote('gte', '100', 'token', { kind: 'none' })).toMatch(/^The contract tells no decimals/)
  expect(convertValue('5', 'units', unitDecimals('source.params.value', { kind: 'none' }))).toEqual({
    ...{ amount: '5', decimals: 0 },
  })
})

test('a row has no note on other values, and of an amount with its own decimals', () => {
  expect(tokenNote('eq', '0x12', undefined, usdc)).toBeUndefined()
  expect(tokenNote('startsWith', '1', 'token', usdc)).toBeUndefined()
  expect(tokenNote('gte', { amount: '1', decimals: 2 }, 'token', usdc)).toBeUndefined()
  expect(tokenNote('gte', { amount: '1', token: '0x1' }, undefined, usdc)).toBeUndefined()
})

test('an amount in units starts with the decimals of the token, and of the native coin with 18', () => {
  expect(unitDecimals('source.params.value', usdc)).toBe(6)
  expect(unitDecimals('source.value', usdc)).toBe(18)
  expect(formsFor('gte', false)).toEqual(['plain', 'path', 'tokens', 'units', 'gwei', 'ether'])
  expect(valueFormOf({ amount: '5' })).toBe('tokens')
  expect(convertValue({ amount: '5', decimals: 6 }, 'tokens')).toEqual({ amount: '5' })
})
