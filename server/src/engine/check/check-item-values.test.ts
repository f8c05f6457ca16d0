import type { Condition, TriggerSpec } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { parsePath } from '../base/paths.ts'
import { checkItemValues } from './check-item-values.ts'
import { knownShapes, locateInRun } from './known-shapes.ts'

const wallet = `0x${'a'.repeat(40)}`
const abiFragment = [
  'event Moved(address indexed from, uint256 value, int8 level, bool paused, string indexed memo, bytes4 id, string note)',
  'event Moved(address indexed from, uint64 value, address[] path, (address to, uint256 share)[] parts, uint256[2] pair)',
]
const spec: TriggerSpec = { type: 'evm_log', dataSource: 'common.ethereum', event: 'Moved', abiFragment }
const issuesOf = async (condition: Condition, on: TriggerSpec = spec) => {
  const shapes = await knownShapes({ triggerSpec: on, providers: [] })
  return checkItemValues(condition, 'c', (param) => locateInRun(shapes, parsePath(param)))
}
const find = async (condition: Condition, on: TriggerSpec = spec) =>
  (await issuesOf(condition, on)).map(({ path }) => path)
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
  [{ param: 'source.adress', op: 'eq', value: 'x' }, ['c.param']],
  [{ param: 'source.params.value', op: 'gt', value: { path: 'source.params.level', times: '2' } }, []],
  [{ param: 'source.params.value', op: 'gt', value: { path: 'source.params.levle' } }, ['c.value.path']],
  [
    { param: 'source.params.parts', contains: { param: 'share', op: 'gt', value: { path: 'shares' } } },
    ['c.contains.value.path'],
  ],
  [{ param: 'source.params.parts', op: 'ne', value: null }, []],
])('%j can never hold at %j', async (condition, paths) => expect(await find(condition)).toEqual(paths))

test('an event without marks may have its texts as they are or as hashes, and takes names that are known', async () => {
  const event = 'Transfer(address,address,uint256)'
  const transfer: TriggerSpec = { type: 'evm_log', dataSource: 'common.ethereum', event }
  expect(await find(on('value', 'gt', 1), transfer)).toEqual([])
  expect(await find(on('amount', 'gt', 1), transfer)).toEqual(['c.param'])
  const named: TriggerSpec = { type: 'evm_log', dataSource: 'common.ethereum', event: 'Named(string label)' }
  expect(await find(on('label', 'eq', 'gold'), named)).toEqual([])
})

test('calls are compared with the parameters of their function, and a selector alone decodes none', async () => {
  const call: TriggerSpec = {
    ...{ type: 'evm_call', dataSource: 'common.ethereum', method: 'pay' },
    abiFragment: 'function pay(address to, uint8 kind)',
  }
  expect(await find(on('kind', 'eq', 256), call)).toEqual(['c.value'])
  expect(await find(on('kind', 'eq', 255), call)).toEqual([])
  const bare: TriggerSpec = { type: 'evm_call', dataSource: 'common.ethereum', method: '0x12345678' }
  expect(await find(on('kind', 'eq', 1), bare)).toEqual(['c.param'])
})

test('the issue names what the ABI has, and the type that has no such value', async () => {
  const [unknown] = await issuesOf(on('notes', 'eq', wallet))
  expect(unknown?.message).toContain('there is no source.params.notes, but from, value, level')
  expect(unknown?.message).toContain('; did you mean source.params.note?')
  const [wrong] = await issuesOf(on('level', 'gt', 300))
  expect(wrong?.message).toBe('no value of source.params.level can be greater than 300: its type is int8')
})
