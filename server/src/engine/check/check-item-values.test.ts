import type { Condition, TriggerSpec } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { checkItemValues } from './check-item-values.ts'

const wallet = `0x${'a'.repeat(40)}`
const abiFragment = [
  'event Moved(address indexed from, uint256 value, int8 level, bool paused, string indexed memo, bytes4 id, string note)',
  'event Moved(address indexed from, uint64 value, address[] path, (address to, uint256 share)[] parts, uint256[2] pair)',
]
const spec: TriggerSpec = { type: 'evm_log', dataSource: 'common.ethereum', event: 'Moved', abiFragment }
const find = async (condition: Condition, prefix: '' | 'source.' = 'source.', on: TriggerSpec = spec) =>
  (await checkItemValues(condition, 'c', on, prefix)).map(({ path }) => path)
const on = (
  param: string,
  op: 'eq' | 'gt' | 'gte' | 'lt' | 'startsWith',
  value: string | number | boolean,
): Condition => ({ param: `source.params.${param}`, op, value }) as Condition

test.each<[Condition, string[]]>([
  [on('from', 'eq', wallet), []],
  [on('from', 'eq', wallet.toUpperCase().replace('X', 'x')), []],
  [on('from', 'eq', '0x12'), ['c.value']],
  [on('from', 'startsWith', '0x12'), []],
  [on('from', 'startsWith', 'treasury'), ['c.value']],
  [on('form', 'eq', wallet), ['c.param']],
  [on('from.name', 'eq', 'x'), ['c.param']],
  [on('value', 'gt', '100000000000000000000'), []],
  [on('value', 'eq', 1.5), ['c.value']],
  [on('value', 'eq', 'many'), ['c.value']],
  [on('value', 'lt', 0), ['c.value']],
  [on('value', 'gte', 0), []],
  [on('level', 'gt', 126), []],
  [on('level', 'gt', 127), ['c.value']],
  [on('level', 'eq', -128), []],
  [on('level', 'eq', 128), ['c.value']],
  [on('paused', 'eq', true), []],
  [on('paused', 'eq', 'true'), ['c.value']],
  [on('memo', 'eq', 'hello'), ['c.value']],
  [on('memo', 'eq', `0x${'b'.repeat(64)}`), []],
  [on('note', 'eq', 'hello'), []],
  [on('id', 'eq', '0x12345678'), []],
  [on('id', 'eq', '0x1234567'), ['c.value']],
  [on('value', 'eq', '{{inputs.amount}}'), []],
  [{ param: 'source.params.value', op: 'gte', value: { amount: '1.5', decimals: 18 } }, []],
  [{ param: 'source.params.value', op: 'eq', value: { amount: '1.5', decimals: 0 } }, ['c.value']],
  [{ param: 'source.params.value', op: 'gte', value: { amount: '1.5' } }, []],
  [{ param: 'source.params.from', op: 'eq', value: null }, []],
  [{ param: 'source.params.from', op: 'in', value: [wallet, 'vitalik.eth'] }, ['c.value']],
  [{ param: 'source.args.0', op: 'eq', value: 'nobody' }, ['c.value']],
  [{ param: 'source.args.7', op: 'eq', value: 1 }, ['c.param']],
  [{ param: 'source.params.pair.1', op: 'eq', value: 1 }, []],
  [{ param: 'source.params.pair.2', op: 'eq', value: 1 }, ['c.param']],
  [{ param: 'source.params.path', op: 'eq', value: wallet }, ['c.value']],
  [{ param: 'source.params.path.length', op: 'gt', value: 2 }, []],
  [{ param: 'source.params.path', contains: { param: 'this', op: 'eq', value: wallet } }, []],
  [{ param: 'source.params.path', contains: { param: 'this', op: 'eq', value: '0x12' } }, ['c.contains.value']],
  [
    { not: { any: [{ param: 'source.params.parts', contains: { param: 'to', op: 'eq', value: '0x1' } }] } },
    ['c.not.any.0.contains.value'],
  ],
  [{ param: 'source.params.parts', contains: { param: 'too', op: 'eq', value: wallet } }, ['c.contains.param']],
  [{ param: 'source.params.from', contains: { param: 'this', op: 'eq', value: wallet } }, ['c.param']],
  [{ param: 'source.address', op: 'eq', value: 'x' }, []],
])('%j can never hold at %j', async (condition, paths) => expect(await find(condition)).toEqual(paths))

test('a subscriber of items without a transform names the same parameters without "source."', async () => {
  expect(await find({ param: 'params.value', op: 'eq', value: 'x' }, '')).toEqual(['c.value'])
  expect(await find({ param: 'params.amount', op: 'eq', value: 1 }, '')).toEqual(['c.param'])
})

test('an event without marks may have its texts as they are or as hashes, and takes names that are known', async () => {
  const event = 'Transfer(address,address,uint256)'
  const transfer: TriggerSpec = { type: 'evm_log', dataSource: 'common.ethereum', event }
  expect(await find(on('value', 'gt', 1), 'source.', transfer)).toEqual([])
  expect(await find(on('amount', 'gt', 1), 'source.', transfer)).toEqual(['c.param'])
  const named: TriggerSpec = { type: 'evm_log', dataSource: 'common.ethereum', event: 'Named(string label)' }
  expect(await find(on('label', 'eq', 'gold'), 'source.', named)).toEqual([])
})

test('calls are compared with the parameters of their function, and a selector alone decodes none', async () => {
  const call: TriggerSpec = {
    ...{ type: 'evm_call', dataSource: 'common.ethereum', method: 'pay' },
    abiFragment: 'function pay(address to, uint8 kind)',
  }
  expect(await find(on('kind', 'eq', 256), 'source.', call)).toEqual(['c.value'])
  expect(await find(on('kind', 'eq', 255), 'source.', call)).toEqual([])
  const bare: TriggerSpec = { type: 'evm_call', dataSource: 'common.ethereum', method: '0x12345678' }
  expect(await find(on('kind', 'eq', 1), 'source.', bare)).toEqual(['c.param'])
})

test('the issue names what the ABI has, and the type that has no such value', async () => {
  const [unknown] = await checkItemValues(on('form', 'eq', wallet), 'c', spec, 'source.')
  expect(unknown?.message).toContain('does not have source.params.form, but from, value, level')
  const [wrong] = await checkItemValues(on('level', 'gt', 300), 'c', spec, 'source.')
  expect(wrong?.message).toBe('no value of source.params.level can be greater than 300: its type is int8')
})
