import { type Condition, isPathValue, itemToken, type PathValue } from '@tocsin/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileConditions, needsItemToken } from './predicate.ts'
import { readRequirements, readTriggerRequirements } from './requirements.ts'
import { compileEarlyFilter, compileEarlyTriggerFilter, explainConditions } from './trigger-conditions.ts'

const raw = {
  to: '0xAbCd000000000000000000000000000000000001',
  value: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  small: 0.1,
  amount: '1500000',
  memo: 'Invoice 2024-05',
  at: '2024-05-01T00:00:00Z',
  ok: true,
  none: null,
  legs: [
    { to: '0xA', amount: '2000000' },
    { to: '0xB', amount: '5' },
  ],
  tags: ['Hot', 'new'],
  counts: [1, '20'],
  'dotted.name': 'x',
  nested: { deep: [{ a: 7 }] },
}
const filtersSchema = {
  amount: { type: 'balance', decimals: 6 },
  wrapped: { type: { type: 'balance', decimals: 6 }, description: 'w', sourcePath: 'amount' },
  receiver: { type: 'address', sourcePath: 'to' },
  legs: { type: 'array', items: { type: 'object', properties: { amount: { type: 'balance', decimals: 6 } } } },
  counts: { type: 'array', items: { type: 'balance', decimals: 1 } },
}
const inputs = {
  wallet: '0xabcd000000000000000000000000000000000001',
  list: ['hot', 5],
  min: 1,
  nested: { x: ['y'] },
  bad: '(a)\\1',
}
const meets = (condition: unknown) => compileConditions(condition as Condition, { filtersSchema, inputs })(raw, raw)
const one = (param: string, op: string, value: unknown) => ({ param, op, value })

test.each([
  ['the length of a list', one('tags.length', 'eq', 2)],
  ['addresses whatever their case', one('to', 'eq', '0xABCD000000000000000000000000000000000001')],
  [
    'integers beyond 2^53 exactly',
    one('value', 'gt', '115792089237316195423570985008687907853269984665640564039457584007913129639934'),
  ],
  ['numbers and numeric strings', one('small', 'eq', '0.10')],
  ['an element of a list of balances', one('counts.1', 'eq', 2)],
  ['a number against a text of digits', one('legs.1.to', 'ne', 5)],
  ['a balance in human units', one('amount', 'eq', 1.5)],
  ['a balance in order', one('amount', 'lt', '1.500001')],
  ['a wrapped schema, by its sourcePath', one('wrapped', 'gte', '1.5')],
  ['a filter by its sourcePath', one('receiver', 'eq', '{{inputs.wallet}}')],
  ['a list from the inputs', one('tags[0]', 'in', '{{inputs.list}}')],
  ['an input inside a list', one('to', 'in', ['0x1', '{{ inputs.wallet }}'])],
  ['a path in the inputs', one('dotted.name', 'ne', '{{inputs.nested.x[0]}}')],
  ['texts in order', one('at', 'lt', '2024-06')],
  ['a beginning', one('memo', 'startsWith', 'INV')],
  ['an expression', one('memo', 'matches', '^invoice \\d{4}')],
  ['null is null', one('none', 'eq', null)],
  ['what is missing is null', one('missing.deep', 'eq', null)],
  ['what is missing is not a value', one('missing', 'ne', 'x')],
  ['what is missing is not among values', one('missing', 'nin', ['x'])],
  ['a whole name before a path', one('dotted.name', 'eq', 'X')],
  ['a path through a list', one('nested.deep[0].a', 'eq', 7)],
  ['a boolean', one('ok', 'eq', true)],
  ['some element', { param: 'legs', contains: one('to', 'eq', '0xb') }],
  ['one element meets all', { param: 'legs', contains: { all: [one('to', 'eq', '0xa'), one('amount', 'gte', 2)] } }],
  ['a scalar element is this', { param: 'tags', contains: one('this', 'eq', 'hot') }],
  ['a scalar element has no fields, so any name means it', { param: 'tags', contains: one('tag', 'startsWith', 'h') }],
  ['scalar elements in human units', { param: 'counts', contains: one('this', 'eq', 2) }],
  ['a path from the element itself', { param: 'nested.deep', contains: { param: 'this.a', op: 'eq', value: 7 } }],
  ['nothing asked', { all: [] }],
  ['an alternative', { any: [one('ok', 'eq', false), { not: one('ok', 'eq', false) }] }],
])('meets %s', (_, condition) => expect(meets(condition)).toBe(true))

test.each([
  [
    'a neighbour of a large integer',
    one('value', 'eq', '115792089237316195423570985008687907853269984665640564039457584007913129639934'),
  ],
  ['a boolean for its text', one('ok', 'eq', 'true')],
  ['zero for false', one('ok', 'eq', 1)],
  ['empty text for what is missing', one('missing', 'eq', '')],
  ['a number against a text', one('memo', 'gt', 5)],
  ['what is missing in order', one('missing', 'lte', 5)],
  [
    'elements that meet the parts apart',
    { param: 'legs', contains: { all: [one('to', 'eq', '0xb'), one('amount', 'gte', 2)] } },
  ],
  ['an element of what is no list', { param: 'memo', contains: one('this', 'startsWith', '') }],
  ['no alternatives', { any: [] }],
  ['an input that is not there', one('to', 'eq', '{{inputs.absent}}')],
  ['an input that is not there, denied', one('to', 'ne', '{{inputs.absent}}')],
  ['an input that is no list', one('to', 'nin', '{{inputs.min}}')],
  ['an expression that cannot be used', one('memo', 'matches', '{{inputs.bad}}')],
  ['what is inherited', one('constructor.name', 'eq', 'Object')],
  ['the length of a text', one('memo.length', 'eq', 15)],
])('does not meet %s', (_, condition) => expect(meets(condition)).toBe(false))

test('null accepts everything', () => expect(compileConditions(null)({}, {})).toBe(true))

test('a filter with a sourcePath reads the item, also after a transform changed the value', () => {
  const filtersSchema = { sum: { type: 'balance', decimals: 6, sourcePath: 'params.value' } }
  const item = { params: { value: '2500000' } }
  const asked: Condition = { param: 'sum', op: 'gt', value: 2 }
  expect(compileEarlyFilter(asked, { filtersSchema })(item)).toBe(true)
  for (const raw of [{}, { sum: '2.5' }, 'text', null])
    expect(compileConditions(asked, { filtersSchema })(raw, item)).toBe(true)
  expect(compileConditions(asked, { filtersSchema })({ sum: '9000000' }, { params: { value: '1' } })).toBe(false)
  // If the item has no value there, the output's value counts.
  expect(compileConditions(asked, { filtersSchema })({ sum: '9000000' }, {})).toBe(true)
})

test('the early filter drops only items that cannot meet the conditions', () => {
  const early = (condition: unknown) => compileEarlyFilter(condition as Condition, { filtersSchema, inputs })(raw)
  const [known, later] = [one('receiver', 'eq', '0x2'), one('memo', 'eq', 'other')]
  expect(early(known)).toBe(false)
  expect(early(later)).toBe(true)
  expect(early({ all: [later, known] })).toBe(false)
  expect(early({ any: [later, known] })).toBe(true)
  expect(early({ not: later })).toBe(true)
  expect(early({ not: { any: [later, { not: known }] } })).toBe(false)
  expect(early({ param: 'tags', contains: one('this', 'eq', 'x') })).toBe(true)
})

/** A simple reference implementation: numbers are integers in units of 10^-40. */
const fraction = (value: unknown): bigint | undefined => {
  if (typeof value === 'boolean' || value === null || value === undefined) return undefined
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value))
  return found ? BigInt(`${found[1]}${found[2]}${(found[3] ?? '').padEnd(40, '0')}`) : undefined
}
const equal = (a: unknown, b: unknown): boolean => {
  const [left, right] = [fraction(a), fraction(b)]
  if (left !== undefined || right !== undefined) return left === right
  if (typeof a === 'string' && typeof b === 'string') return a.toLowerCase() === b.toLowerCase()
  return (a ?? null) === (b ?? null)
}
const order = (a: unknown, b: unknown): number | undefined => {
  const [left, right] = [fraction(a), fraction(b)]
  if (left !== undefined && right !== undefined) return left === right ? 0 : left < right ? -1 : 1
  if (left !== undefined || right !== undefined || typeof a !== 'string' || typeof b !== 'string') return undefined
  return a.toLowerCase() === b.toLowerCase() ? 0 : a.toLowerCase() < b.toLowerCase() ? -1 : 1
}
const of = ({ path, times, plus }: PathValue, at: Record<string, unknown>): unknown => {
  if (times === undefined) return at[path]
  const found = fraction(at[path])
  const digits = found === undefined ? undefined : found * 2n + (fraction(plus) ?? 0n)
  if (digits === undefined) return undefined
  const text = String(digits).replace('-', '').padStart(41, '0')
  return `${digits < 0n ? '-' : ''}${text.slice(0, -40)}.${text.slice(-40)}`
}
function reference(condition: Condition, at: Record<string, unknown>): boolean {
  if ('all' in condition) return condition.all.every((inner) => reference(inner, at))
  if ('any' in condition) return condition.any.some((inner) => reference(inner, at))
  if ('not' in condition) return !reference(condition.not, at)
  const found = at[condition.param]
  if ('contains' in condition)
    return Array.isArray(found) && found.some((element) => reference(condition.contains, element))
  const { op } = condition
  const value = isPathValue(condition.value) ? of(condition.value, at) : condition.value
  if (value === undefined) return false
  if (op === 'eq') return equal(found, value)
  if (op === 'ne') return !equal(found, value)
  if (op === 'in') return Array.isArray(value) && value.some((each) => equal(found, each))
  if (op === 'nin') return Array.isArray(value) && !value.some((each) => equal(found, each))
  const sign = order(found, value)
  if (op === 'gt') return sign !== undefined && sign > 0
  if (op === 'gte') return sign !== undefined && sign >= 0
  if (op === 'lt') return sign !== undefined && sign < 0
  if (op === 'lte') return sign !== undefined && sign <= 0
  const isText = typeof found === 'string' || typeof found === 'number'
  return isText && String(found).toLowerCase().startsWith(String(value).toLowerCase())
}

const scalar = fc.oneof(
  fc.constantFrom(0, 1, '1', '1.0', '01', -1, '0x1', '0X1', 'a', 'A', 'b', '', true, false, null, 2.5, '2.50'),
  fc.bigInt({ min: 2n ** 64n, max: 2n ** 64n + 2n }).map(String),
)
const comparable = scalar.filter((value) => typeof value === 'string' || typeof value === 'number')
const param = fc.constantFrom('p', 'q', 'r')
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ param, op: fc.constantFrom('eq', 'ne'), value: scalar }),
    fc.record({ param, op: fc.constantFrom('gt', 'gte', 'lt', 'lte'), value: comparable }),
    fc.record({ param, op: fc.constantFrom('in', 'nin'), value: fc.array(scalar, { maxLength: 4 }) }),
    fc.record({ param, op: fc.constant('startsWith'), value: fc.constantFrom('', '0x', 'A', '1') }),
    fc.record({ param, op: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte'), value: fc.record({ path: param }) }),
    fc.record({
      param,
      op: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte'),
      value: fc.record({ path: param, times: fc.constant('2'), plus: fc.constantFrom('0', '0.5', '-2') }),
    }),
    fc.record({ all: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ not: tie('condition') }),
    fc.record({ param: fc.constant('list'), contains: tie('condition') }),
  ) as fc.Arbitrary<Condition>,
}))
const flat = fc.record({ p: scalar, q: scalar, r: scalar }, { requiredKeys: ['p'] })
const output = fc.tuple(flat, fc.array(flat, { maxLength: 3 })).map(([fields, list]) => ({ ...fields, list }))

test('agrees with a plain evaluation on generated conditions and outputs', () => {
  fc.assert(
    fc.property(condition, output, (asked, given) => {
      expect(compileConditions(asked)(given, given)).toBe(reference(asked, given))
    }),
    { numRuns: 2000 },
  )
})

const assets = { assets: '98999999999999999999', supply: '100000000000000000000', none: null, name: 'a', list: [1, 2] }
const compare = (param: string, op: string, value: unknown) => {
  const condition = one(param, op, value) as Condition
  return compileConditions(condition)(assets, assets)
}

test.each<[string, string, unknown, boolean]>([
  ['assets', 'lt', { path: 'supply' }, true],
  ['assets', 'gt', { path: 'supply', times: '0.99' }, false],
  ['assets', 'eq', { path: 'supply', times: '0.99', plus: '-1' }, true],
  ['assets', 'gte', { path: 'supply', times: 0.99, plus: '-1' }, true],
  ['supply', 'gt', { path: 'assets', times: '-1' }, true],
  ['list.length', 'eq', { path: 'list.1' }, true],
  ['list.length', 'gt', { path: 'list.length', plus: '-1' }, true],
  ['none', 'eq', { path: 'none' }, true],
  ['name', 'eq', { path: 'name' }, true],
  ['name', 'eq', { path: 'gone' }, false],
  ['none', 'eq', { path: 'gone' }, false],
  ['supply', 'ne', { path: 'gone' }, false],
  ['supply', 'gt', { path: 'name', times: '1' }, false],
  ['supply', 'gt', { path: 'none', plus: '0' }, false],
])('%s %s the field of %j: %j', (param, op, value, holds) => expect(compare(param, op, value)).toBe(holds))

test('the early filter does not decide a comparison with the result of a provider, and the index proves none with a field', () => {
  const ofProvider: Condition = { param: 'source.value', op: 'gt', value: { path: 'providers.limit', times: '2' } }
  const ofItem: Condition = { param: 'source.value', op: 'gt', value: { path: 'source.least' } }
  const early = (condition: Condition) => compileEarlyTriggerFilter(condition, {})({ value: '5', least: '6' })
  expect([ofProvider, { not: ofProvider }, ofItem, { not: ofItem }].map(early)).toEqual([true, true, false, true])
  expect(readTriggerRequirements(ofItem, {})).toEqual({ requirements: [], rest: [ofItem], requirementsSuffice: false })
  expect(readTriggerRequirements({ not: ofItem }, {}).rest).toEqual([{ not: ofItem }])
})

test('an explanation tells the value that a field was compared with, and what is missing', () => {
  const values = { source: { a: '5', name: 'x' }, inputs: { b: 2 }, providers: { supply: '1000' } }
  const parts = [
    { path: 'providers.supply', times: '0.98', plus: '0.5' },
    { path: 'inputs.b' },
    { path: 'source.gone' },
    { path: 'source.name', times: '2' },
  ].map((value) => ({ param: 'source.a', op: 'lt' as const, value }))
  expect(explainConditions({ all: parts }, { values })).toMatchObject([
    { wanted: '980.5', held: true },
    { wanted: 2, held: false },
    { wanted: null, held: false, issue: 'there is nothing at source.gone' },
    { wanted: null, held: false, issue: 'source.name is no number' },
  ])
})

const inToken = {
  value: { type: { type: 'balance', decimals: 'token' }, sourcePath: 'value' },
  fixed: { type: 'balance', decimals: 6 },
}
const amountOf = (condition: Condition, decimals?: number | null) =>
  compileConditions(condition, { filtersSchema: inToken })(
    { fixed: '100000000' },
    { value: '100000000' },
    decimals === undefined ? undefined : new Map([[itemToken, decimals]]),
  )

test.each<[Condition, (number | null | undefined)[]]>([
  [{ param: 'value', op: 'gte', value: 100 }, [6]],
  [{ param: 'value', op: 'gte', value: { amount: '100' } }, [6]],
  [{ not: { param: 'value', op: 'gte', value: 100 } }, [18, null]],
  [{ param: 'value', op: 'in', value: [100] }, [6]],
  [{ param: 'fixed', op: 'eq', value: { amount: '100' } }, [6, null]],
  [{ param: 'value', op: 'gte', value: { amount: '100', decimals: 6 } }, [6, 18, null, undefined]],
])('%j holds for a token with %j decimals only', (condition, held) => {
  const known = [6, 18, null, undefined]
  expect(known.filter((decimals) => amountOf(condition, decimals))).toEqual(known.filter((each) => held.includes(each)))
})

test('what depends on the token of an item drops nothing before the token is read', () => {
  const condition: Condition = { param: 'value', op: 'gte', value: 100 }
  expect(needsItemToken(condition, inToken)).toBe(true)
  expect(compileEarlyFilter(condition, { filtersSchema: inToken })({ value: '1' })).toBe(true)
  expect(compileEarlyFilter({ not: condition }, { filtersSchema: inToken })({ value: '1' })).toBe(true)
  expect(readRequirements(condition, { filtersSchema: inToken })).toMatchObject({ requirements: [] })
  expect(needsItemToken({ param: 'fixed', op: 'gt', value: 5 }, inToken)).toBe(false)
})

test('a test says of a path that there is nothing at it, and an empty value is none of these', () => {
  const values = { source: { topics: [] }, inputs: {}, providers: { mint: null, logs: [] } }
  const parts = ['providers.mint', 'providers.mint.id', 'providers.logs.length', 'providers.logs.0'].map((param) => ({
    ...{ param, op: 'eq' as const, value: 0 },
  }))
  expect(explainConditions({ all: parts }, { values }).map(({ value, issue }) => [value, issue])).toEqual([
    [null, undefined],
    [null, 'there is nothing at providers.mint.id'],
    [0, undefined],
    [null, 'there is nothing at providers.logs.0'],
  ])
})
