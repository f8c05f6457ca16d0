import type { Condition } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { unknownParams } from './unknown-params.ts'

const on = (param: string): Condition => ({ param, op: 'eq', value: 1 })
const outputSchema = { amount: 'balance', from: { type: 'object', properties: { wallet: 'address' } }, list: 'array' }

test('a param is a filter, a field of the output or a path as far as it is described', () => {
  const trigger = { filtersSchema: { big: 'number' }, outputSchema, hasTransform: true }
  for (const known of ['big', 'amount', 'from', 'from.wallet', 'from.wallet.deeper', 'list.0.x', 'list[0].x'])
    expect(unknownParams(on(known), trigger)).toEqual([])
  for (const unknown of ['amuont', 'from.walet', 'raw.amount'])
    expect(unknownParams(on(unknown), trigger)).toEqual([unknown])
})

test('every branch is checked, each name is listed once, and elements of a list are not checked', () => {
  const inner: Condition = { not: { any: [on('b'), on('a')] } }
  const contains: Condition = { param: 'list', contains: on('anything') }
  const condition: Condition = { all: [on('a'), inner, contains, { param: 'gone', contains: on('x') }] }
  expect(unknownParams(condition, { outputSchema, hasTransform: true })).toEqual(['a', 'b', 'gone'])
})

test('without a transform the output is the item; a trigger that describes nothing is not checked', () => {
  const log = { hasTransform: false, type: 'evm_log' }
  expect(unknownParams(on('params.value'), log)).toEqual([])
  expect(unknownParams(on('value'), log)).toEqual(['value'])
  expect(unknownParams(on('value'), { hasTransform: true, type: 'evm_log' })).toEqual([])
  expect(unknownParams(on('value'), { hasTransform: false })).toEqual([])
  expect(unknownParams(on('raw'), { outputSchema: { raw: { a: 'string' } }, hasTransform: true })).toEqual(['raw'])
})
