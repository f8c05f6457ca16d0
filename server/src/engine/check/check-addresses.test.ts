import type { Condition, TriggerSpec } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { checkAddresses, checkItemAddresses } from './check-addresses.ts'

const wallet = `0x${'a'.repeat(40)}`
const spec: TriggerSpec = { type: 'evm_transaction', dataSource: 'common.ethereum' }
const party = { type: 'object', properties: { wallet: { type: 'address', addressType: 'evm' } } }
const filtersSchema = {
  who: { type: { type: 'address', addressType: 'evm' } },
  memo: 'string',
  owners: { type: 'array', items: { type: 'address', addressType: 'evm' } },
  parties: { type: 'array', items: party },
  first: party,
}
const contains = (param: string, inner: string, value: string): Condition => ({
  ...{ param, contains: { param: inner, op: 'eq', value } },
})

test.each<[Condition, string[]]>([
  [{ param: 'who', op: 'eq', value: wallet }, []],
  [{ param: 'who', op: 'eq', value: '0x12' }, ['c.value']],
  [{ not: { param: 'who', op: 'in', value: [wallet, 'vitalik.eth'] } }, ['c.not.value']],
  [{ param: 'who', op: 'eq', value: '{{inputs.wallet}}' }, []],
  [{ param: 'who', op: 'startsWith', value: '0x12' }, []],
  [{ param: 'memo', op: 'eq', value: 'x' }, []],
  [{ param: 'first.wallet', op: 'eq', value: '0x12' }, ['c.value']],
  [contains('owners', 'this', wallet), []],
  [contains('owners', 'this', '0x12'), ['c.contains.value']],
  [contains('parties', 'wallet', '0x12'), ['c.contains.value']],
  [contains('parties', 'this.wallet', '0x12'), ['c.contains.value']],
  [contains('parties', 'wallet', wallet), []],
  [contains('parties', 'name', '0x12'), []],
])('of a subscription, %j has issues at %j', (condition, paths) =>
  expect(checkAddresses(condition, { filtersSchema }, 'c').map(({ path }) => path)).toEqual(paths),
)

test.each<[Condition, number]>([
  [{ param: 'source.to', op: 'eq', value: wallet }, 0],
  [{ param: 'source.to', op: 'eq', value: 'treasury' }, 1],
  [{ param: 'source.to', op: 'eq', value: null }, 0],
  [{ param: 'source.hash', op: 'eq', value: '0x1' }, 0],
])('of a trigger, %j has %i issues', (condition, count) =>
  expect(checkItemAddresses(condition, 'conditions', spec)).toHaveLength(count),
)
