import { expect, test } from 'vitest'
import { readSchema, type SchemaMap, splitOutputSchema } from '../base/read-schema.ts'
import { checkAgainstSchemas } from './output-schema.ts'

const checkOutput = (value: unknown, map: SchemaMap) => checkAgainstSchemas([{ value, map, path: 'raw' }])
const checkValue = (value: unknown, schema: unknown) => checkOutput({ a: value }, { a: schema })

const evm = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const solana = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

test.each([
  ['string', ''],
  ['number', 1.5],
  ['number', '123456789012345678901'],
  ['integer', -3],
  ['integer', '115792089237316195423570985008687907853269984665640564039457584007913129639935'],
  ['boolean', false],
  ['object', {}],
  ['array', []],
  ['null', null],
  ['address', evm],
  [{ type: 'address', addressType: 'evm' }, evm],
  [{ type: 'address', addressType: 'solana' }, solana],
  [{ type: 'address', addressType: 'ss58' }, '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'],
  [{ type: 'address', addressType: 'cosmos' }, 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh'],
  [{ type: 'balance', decimals: 18 }, '1000000000000000000'],
  ['balance', 5],
  [{ type: 'enum', enum: ['a', 2] }, 2],
  [{ type: 'enum', values: ['a'] }, 'a'],
  [{ type: ['string', 'null'] }, null],
  [{ type: { type: 'address', addressType: 'evm' }, description: 'who' }, evm],
  [{}, { anything: ['goes'] }],
  [{ anyOf: ['string', 'number'] }, 5],
  [{ type: 'array', items: ['string', 'number'] }, ['a', 1, true]],
])('%j fits %j', (schema, value) => expect(checkValue(value, schema)).toEqual([]))

test.each([
  ['string', 5, 'must be string, but is 5'],
  ['number', '5', 'must be number, but is "5"'],
  ['integer', 1.5, 'must be integer'],
  ['integer', '5', 'must be integer'],
  ['boolean', 'true', 'must be boolean'],
  ['object', [], 'must be object, but is a list'],
  ['array', {}, 'must be array, but is an object'],
  ['null', 0, 'must be null'],
  ['address', '', 'must be an address'],
  [{ type: 'address', addressType: 'evm' }, solana, 'an address (evm)'],
  [{ type: 'address', addressType: 'solana' }, evm, 'an address (solana)'],
  ['balance', '1.5', 'an integer as text'],
  ['balance', 1.5, 'an integer as text'],
  [{ type: 'enum', enum: ['a', 'b'] }, 'c', 'must be one of "a", "b", but is "c"'],
  [{ type: ['string', 'null'] }, 5, 'must be string or null'],
  [{ oneOf: ['number', 'integer'] }, 5, 'exactly one'],
  [{ anyOf: ['boolean', 'object'] }, 5, 'at least one'],
])('%j refuses %j', (schema, value, message) => {
  expect(checkValue(value, schema)).toEqual([{ path: 'raw.a', message: expect.stringContaining(message) }])
})

test('properties are required unless optional, extra properties are allowed, and issues name nested paths', () => {
  const map = {
    to: 'address',
    memo: { type: 'string', optional: true },
    note: { type: { type: 'string', optional: true }, description: 'wrapped' },
    legs: { type: 'array', items: { type: 'object', properties: { amount: 'balance' } } },
  }
  expect(checkOutput({ to: evm, legs: [], more: 1 }, map)).toEqual([])
  const problems = checkOutput({ memo: 5, legs: [{ amount: '1' }, {}, { amount: 'x' }] }, map)
  expect(problems.map(({ path, message }) => `${path} ${message.slice(0, 11)}`)).toEqual([
    'raw.to is required',
    'raw.memo must be str',
    'raw.legs.1.amount is required',
    'raw.legs.2.amount must be an ',
  ])
})

test('inherited properties do not count, and a value that is not an object is one issue', () => {
  expect(checkOutput({}, { constructor: {} })).toEqual([{ path: 'raw.constructor', message: 'is required' }])
  expect(checkOutput(null, { a: 'string' })).toHaveLength(1)
})

test('issues are bounded', () => {
  const list = Array.from({ length: 10_000 }, () => 5)
  expect(checkValue(list, { type: 'array', items: 'string' })).toHaveLength(20)
})

test('additional properties have their schema', () => {
  const schema = { type: 'object', properties: { a: 'string' }, additionalProperties: { type: 'number' } }
  expect(checkValue({ a: 'x', b: 1, c: 'y' }, schema).map(({ path }) => path)).toEqual(['raw.a.c'])
})

test('a wrapper adds to the schema that it wraps', () => {
  const schema = { type: { type: 'balance', decimals: 6 }, sourcePath: 'params.value', description: 'how much' }
  expect(readSchema(schema)).toEqual({ types: ['balance'], decimals: 6, sourcePath: 'params.value', optional: false })
})

test('an output schema is a raw map, or raw and human maps; a field may be called raw', () => {
  expect(splitOutputSchema({ a: 'string' })).toEqual({ raw: { a: 'string' } })
  expect(splitOutputSchema({ raw: { a: 'string' }, human: {} })).toEqual({ raw: { a: 'string' }, human: {} })
  expect(splitOutputSchema({ raw: { type: 'string' } })).toEqual({ raw: { raw: { type: 'string' } } })
})

const tooMany = 'takes too many steps to check against its schema: at most 100,000 are allowed'
const many = <T>(length: number, one: T) => Array.from({ length }, () => one)

/** A list that counts how often it is read. */
function counted<T extends object>(value: T): { value: T; reads: () => number } {
  let reads = 0
  const get = (target: T, name: string | symbol) => {
    reads++
    return Reflect.get(target, name)
  }
  return { value: new Proxy(value, { get }), reads: () => reads }
}

test.each([
  ['many texts and many choices', 'enum', Array.from({ length: 25_000 }, (_, at) => `c${at}`), 'c24999'],
  ['choices that are objects', ['object', 'string'], many(20_000, { to: { chain: 1 } }), { to: { chain: 2 } }],
])('the choices of an enum are read once, however many values are checked: %s', (_, type, all, value) => {
  const { value: choices, reads } = counted(all)
  const list = { type: 'array', items: { anyOf: [{ type, enum: choices }, {}] } }
  expect(checkValue(many(3_000, value), list)).toEqual([])
  expect(reads()).toBeLessThan(10 * all.length)
})

test('a choice that is an object equals one with its fields in another order, and no other', () => {
  const schema = { enum: [{ a: 1, b: [2, 'x'] }, ['y'], 3] }
  for (const value of [{ b: [2, 'x'], a: 1 }, ['y'], 3]) expect(checkValue(value, schema)).toEqual([])
  for (const value of [{ a: 1 }, { a: 1, b: [2, 'x', 3] }, { a: 1, b: '2,x' }, [], ['y', 'y'], '3', null])
    expect(checkValue(value, schema)).toHaveLength(1)
  const deep = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000))
  expect(checkValue(deep, schema)).toHaveLength(1)
})

const optional = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { type: 'string', optional: true }]))
const text = 'x'.repeat(500_000)
test.each<[string, unknown, unknown]>([
  ['alternatives', { anyOf: [...many(5_000, 'string'), 'number'] }, 5],
  ['alternatives of which exactly one fits', { oneOf: [...many(5_000, 'string'), 'number'] }, 5],
  ['properties that are missing', { type: 'object', properties: optional(5_000) }, {}],
  ['names beside additional properties', { anyOf: many(2_000, { additionalProperties: { type: 'null' } }) }, { a: 1 }],
  ['choices of lists', { anyOf: many(200, { enum: [['x']] }) }, many(1_000, 'y')],
  ['long texts with many alternatives', { anyOf: many(2_000, { enum: ['x'] }) }, text],
])('the steps of a check are bounded for all that it multiplies: %s', (_, items, value) => {
  const { value: values, reads } = counted(many(15_000, value))
  expect(checkValue(values, { type: 'array', items })).toEqual([{ path: 'raw', message: tooMany }])
  expect(reads()).toBeLessThan(2_000)
})

test('all outputs of a run have one budget', () => {
  const output = { value: { a: many(33_000, 1) }, map: { a: { items: 'number' } }, path: 'outputs.0.raw' }
  expect(checkAgainstSchemas([output])).toEqual([])
  expect(checkAgainstSchemas(many(2, output))).toEqual([{ path: 'outputs.0.raw', message: tooMany }])
})

test('an issue shows the start of a long text', () => {
  const [issue] = checkValue(text, 'number')
  expect(issue?.message.length).toBeLessThan(100)
})
