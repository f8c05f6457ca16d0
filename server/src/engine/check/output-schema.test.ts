import { expect, test } from 'vitest'
import { readSchema, splitOutputSchema } from '../base/read-schema.ts'
import { checkOutput, checkValue } from './output-schema.ts'

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
])('%j fits %j', (schema, value) => expect(checkValue(value, schema, 'raw')).toEqual([]))

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
  expect(checkValue(value, schema, 'raw')).toEqual([{ path: 'raw', message: expect.stringContaining(message) }])
})

test('properties are required unless optional, extra properties are allowed, and issues name nested paths', () => {
  const map = {
    to: 'address',
    memo: { type: 'string', optional: true },
    note: { type: { type: 'string', optional: true }, description: 'wrapped' },
    legs: { type: 'array', items: { type: 'object', properties: { amount: 'balance' } } },
  }
  expect(checkOutput({ to: evm, legs: [], more: 1 }, map, 'raw')).toEqual([])
  const problems = checkOutput({ memo: 5, legs: [{ amount: '1' }, {}, { amount: 'x' }] }, map, 'raw')
  expect(problems.map(({ path, message }) => `${path} ${message.slice(0, 11)}`)).toEqual([
    'raw.to is required',
    'raw.memo must be str',
    'raw.legs.1.amount is required',
    'raw.legs.2.amount must be an ',
  ])
})

test('inherited properties do not count, and a value that is not an object is one issue', () => {
  expect(checkOutput({}, { constructor: {} }, 'raw')).toEqual([{ path: 'raw.constructor', message: 'is required' }])
  expect(checkOutput(null, { a: 'string' }, 'raw')).toHaveLength(1)
})

test('issues are bounded', () => {
  const list = Array.from({ length: 10_000 }, () => 5)
  expect(checkValue(list, { type: 'array', items: 'string' }, 'raw')).toHaveLength(20)
})

test('additional properties have their schema', () => {
  const schema = { type: 'object', properties: { a: 'string' }, additionalProperties: { type: 'number' } }
  expect(checkValue({ a: 'x', b: 1, c: 'y' }, schema, 'raw').map(({ path }) => path)).toEqual(['raw.c'])
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

test('a list with too many alternatives is refused', () => {
  const items = { anyOf: [...Array.from({ length: 5_000 }, () => 'string'), 'number'] }
  const issues = checkValue(
    Array.from({ length: 50_000 }, () => 5),
    { type: 'array', items },
    'raw',
  )
  expect(issues).toEqual([{ path: 'raw', message: 'is too large to be checked against its schema' }])
})
