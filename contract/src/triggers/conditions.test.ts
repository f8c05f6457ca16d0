import { expect, test } from 'vitest'
import { issuesOf } from '../base/issues.ts'
import { Conditions, ConditionsOfEither, TriggerConditions } from './conditions.ts'
import { Policy } from './policies/index.ts'

function problems(value: unknown) {
  const parsed = Conditions.safeParse(value)
  return parsed.success ? [] : issuesOf(parsed.error)
}

test.each([
  [{ param: 'value', op: 'gte', value: '1000000000000000000000' }],
  [
    {
      all: [
        { param: 'from', op: 'eq', value: '{{inputs.wallet}}' },
        { not: { param: 'to', op: 'in', value: ['0x1', '0x2'] } },
      ],
    },
  ],
  [{ any: [{ param: 'transfers', contains: { param: 'to', op: 'startsWith', value: '0x' } }] }],
  [{ param: 'to', op: 'nin', value: '{{inputs.known}}' }],
  [{ param: 'memo', op: 'matches', value: '^a[(?=]+\\\\1?$' }],
])('%j is well-formed and kept as it is', (condition) => expect(Conditions.parse(condition)).toEqual(condition))

test('an empty object means no condition', () => expect(Conditions.parse({})).toEqual({ all: [] }))

test.each([
  [{ param: 'a', op: 'like', value: 1 }, 'op'],
  [{ param: 'a', op: 'in', value: 5 }, 'value'],
  [{ param: 'a', op: 'eq' }, 'value'],
  [{ all: [{ param: '', op: 'eq', value: 1 }] }, 'all.0.param'],
  [{ all: [{ any: [{ not: { param: 'a', op: 'gt', value: true } }] }] }, 'all.0.any.0.not.value'],
  [{ all: [], any: [] }, ''],
  [{ param: 'a', op: 'matches', value: '(a)\\1' }, 'value'],
  [{ param: 'a', op: 'matches', value: '(?<=a)b' }, 'value'],
  [{ param: 'a', op: 'matches', value: '(' }, 'value'],
  [7, ''],
])('%j is refused at %j', (condition, path) => {
  const found = problems(condition)
  expect(found.length).toBeGreaterThan(0)
  if (path) expect(found.map((issue) => issue.path)).toContain(path)
})

test.each([
  [{ foo: 1 }, ''],
  [{ all: [{ foo: 1 }] }, 'all.0'],
])('%j is refused at %j with the forms of a condition', (condition, path) => {
  const message = 'must be {all}, {any}, {not}, {param, op, value} or {param, contains}'
  expect(problems(condition)).toEqual([{ path, message }])
})

test('16 levels are accepted, and hostile nesting is an issue, not a stack overflow', () => {
  expect(problems(nested(15))).toEqual([])
  expect(problems(nested(17))[0]?.message).toContain('nested')
  expect(problems(nested(10_000))[0]?.message).toContain('nested')
})

function nested(levels: number): unknown {
  let condition: unknown = { param: 'a', op: 'eq', value: 1 }
  for (let level = 0; level < levels; level++) condition = { all: [condition] }
  return condition
}

test.each([
  [null],
  [{ type: 'filter' }],
  [{ type: 'monitor', key: 'to', for: '5m', cooldown: '1h30m' }],
  [{ type: 'throttle', per: '1d' }],
  [{ type: 'digest', every: '30s', max: 50 }],
  [{ type: 'threshold', value: 'balance', below: '10', until: 12, for: '5m', key: 'owner', repeat: '1h' }],
  [{ type: 'threshold', value: 'a.b', above: '99999999999999999999.5', until: '99999999999999999999.4' }],
  [{ type: 'threshold', value: 'v', above: 1e21, until: '1e21' }],
  [{ type: 'threshold', value: 'v', above: '{{inputs.limit}}', until: 5 }],
  [{ type: 'change', value: 'price', by: '10%', direction: 'up', within: '3h', key: 'pair' }],
  [{ type: 'change', value: 'price', by: 0.5 }],
  [{ type: 'count', count: 5, within: '10m', key: 'from', repeat: '1d' }],
  [{ type: 'absence', within: '1m', repeat: '10m' }],
])('the policy %j is well-formed', (policy) => expect(Policy.parse(policy)).toEqual(policy))

test.each([
  [{ type: 'throttle' }],
  [{ type: 'throttle', per: '0s' }],
  [{ type: 'digest', every: 'often' }],
  [{ type: 'burst' }],
  [{}],
])('the policy %j is refused', (policy) => expect(Policy.safeParse(policy).success).toBe(false))

test.each([
  [{ param: 'value', op: 'gt', value: { amount: '1000.5', decimals: 6 } }],
  [{ param: 'value', op: 'eq', value: { amount: '{{inputs.min}}', decimals: 18 } }],
])('the amount in human units of %j is kept as it is', (condition) =>
  expect(Conditions.parse(condition)).toEqual(condition),
)

test.each([
  [{ amount: '1,5', decimals: 6 }, 'value.amount', 'must be a decimal number or {{inputs.x}}'],
  [{ amount: '1', decimals: -1 }, 'value.decimals', 'must be at least 0'],
  [{ amount: '1', decimals: 6, unit: 'USDC' }, 'value.unit', 'is not a known field'],
  [{ amount: '1', token: '{{source.address}}' }, 'value.token', 'only the conditions of a trigger can read a token'],
  [
    true,
    'value',
    'must be a number, a numeric string, {{inputs.x}}, {amount}, {amount, decimals}, {amount, token} or {path, times?, plus?}',
  ],
  [{ path: 'supply', times: 'many' }, 'value.times', 'must be a decimal number'],
  [{ path: 'supply', plus: '{{inputs.x}}' }, 'value.plus', 'must be a decimal number'],
  [{ path: 'supply', minus: '1' }, 'value.minus', 'is not a known field'],
])('the value %j is refused at %s', (value, path, message) =>
  expect(problems({ param: 'a', op: 'gt', value })).toEqual([{ path, message }]),
)

test.each(['source.params.value', 'inputs.wallet', 'providers.price.value', 'providers.supply', 'providers.list[0]'])(
  '%s is a param of a trigger’s conditions',
  (param) => expect(TriggerConditions.safeParse({ all: [{ param, op: 'eq', value: 1 }] }).success).toBe(true),
)

test.each(['value', 'source', 'source.', 'sources.x', 'raw.value', 'providers', 'providers.', 'inputs'])(
  '%s is not a param of a trigger’s conditions',
  (param) => {
    const read = TriggerConditions.safeParse({ all: [{ not: { param, op: 'eq', value: 1 } }] })
    expect(read.error && issuesOf(read.error)).toEqual([
      { path: 'all.0.not.param', message: 'must begin with source., inputs. or providers.<id>.' },
    ])
  },
)

test('a value may be another field, which a trigger names as its params', () => {
  const value = { path: 'providers.supply', times: '0.98', plus: -1 }
  const condition = { param: 'providers.assets', op: 'lt', value }
  expect(TriggerConditions.parse(condition)).toEqual(condition)
  expect(Conditions.parse({ ...condition, param: 'assets', value: { path: 'supply' } })).toBeDefined()
  const read = TriggerConditions.safeParse({ any: [{ ...condition, value: { path: 'supply' } }] })
  expect(read.error && issuesOf(read.error)).toEqual([
    { path: 'any.0.value.path', message: 'must begin with source., inputs. or providers.<id>.' },
  ])
})

test('the amount of a token is for triggers only', () => {
  const value = { amount: '1.5', token: '{{source.address}}' }
  const condition = { param: 'source.params.value', op: 'gte', value }
  expect(TriggerConditions.parse(condition)).toEqual(condition)
  expect(ConditionsOfEither.parse(condition)).toEqual(condition)
  expect(ConditionsOfEither.safeParse({ all: [condition, { ...condition, param: 'value' }] }).success).toBe(false)
  expect(problems({ param: 'list', contains: condition })).toMatchObject([{ path: 'contains.value.token' }])
})

test('inside contains a param is a path in the element', () => {
  const inner = { param: 'to', op: 'eq' as const, value: '0x1' }
  expect(TriggerConditions.safeParse({ param: 'source.transfers', contains: inner }).success).toBe(true)
})

test.each<[string, Record<string, unknown>]>([
  ['above', { type: 'threshold', value: 'v' }],
  ['above', { type: 'threshold', value: 'v', above: 1, below: 2 }],
  ['above', { type: 'threshold', value: 'v', above: 'much' }],
  ['below', { type: 'threshold', value: 'v', below: '' }],
  ['value', { type: 'threshold', above: 1 }],
  ['until', { type: 'threshold', value: 'v', above: 10, until: '10.1' }],
  ['until', { type: 'threshold', value: 'v', below: '99999999999999999999', until: '99999999999999999998' }],
  ['for', { type: 'threshold', value: 'v', above: 1, for: 'long' }],
  ['repeat', { type: 'threshold', value: 'v', above: 1, repeat: '0s' }],
  ['by', { type: 'change', value: 'v', by: 0 }],
  ['by', { type: 'change', value: 'v', by: '-5%' }],
  ['by', { type: 'change', value: 'v', by: '5 %' }],
  ['direction', { type: 'change', value: 'v', by: 1, direction: 'sideways' }],
  ['count', { type: 'count', count: 0, within: '1m' }],
  ['within', { type: 'count', count: 1 }],
  ['within', { type: 'absence', within: '0s' }],
])('an issue at %s refuses the policy %j', (path, policy) => {
  const { error } = Policy.safeParse(policy)
  expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path])
})
