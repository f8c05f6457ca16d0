import { expect, test } from 'vitest'
import { checkInputs, checkOutputSchema, checkSchema, checkSchemaMap } from './check-schemas.ts'

const paths = (map: Record<string, unknown>) => checkSchemaMap(map, 's').map((issue) => issue.path)

test.each([
  [{ a: 'string', b: 'address', c: 'balance' }],
  [{ a: { type: 'address', addressType: 'evm' }, b: { type: 'balance', decimals: 18 } }],
  [{ a: { type: { type: 'address', addressType: 'ss58' }, description: 'who', sourcePath: 'params.from' } }],
  [{ a: { type: 'enum', enum: ['x', 'y'] }, b: { type: ['string', 'null'], optional: true } }],
  [{ a: { type: 'array', items: { type: 'object', properties: { b: 'integer' } } } }],
  [{ a: {}, b: { anyOf: ['string', { type: 'number' }] } }],
])('is a map of schemas: %j', (map) => expect(paths(map)).toEqual([]))

test.each([
  [{ a: 'strnig' }, 's.a'],
  [{ a: { type: 'uint256' } }, 's.a.type'],
  [{ a: { type: 'address', addressType: 'doge' } }, 's.a.addressType'],
  [{ a: { type: 'balance', decimals: -1 } }, 's.a.decimals'],
  [{ a: { type: 'enum' } }, 's.a.enum'],
  [{ a: { type: 'object', properties: { b: { type: 'x' } } } }, 's.a.properties.b.type'],
  [{ a: { type: 'array', items: 'x' } }, 's.a.items'],
  [{ a: { type: 'string', sourcePath: 'params..to' } }, 's.a.sourcePath'],
  [{ a: { type: 'string', optional: 'yes' } }, 's.a.optional'],
  [{ a: 5 }, 's.a'],
  [{ a: { oneOf: ['x'] } }, 's.a.oneOf.0'],
])('%j is refused at %s', (map, path) => expect(paths(map)).toEqual([path]))

test('an outputSchema is a raw map, or raw and human maps', () => {
  expect(checkOutputSchema({ raw: { a: 'string' }, human: { a: 'string' } }, 'o')).toEqual([])
  expect(checkOutputSchema({ a: 'string' }, 'o')).toEqual([])
  expect(checkOutputSchema({ raw: { a: 'x' }, human: { b: 'y' } }, 'o').map((issue) => issue.path)).toEqual([
    'o.raw.a',
    'o.human.b',
  ])
})

test('the name of an input must be valid in a placeholder', () => {
  expect(checkInputs({ 'a.b': 'string' }, 'inputs')).toHaveLength(1)
})

test('nesting is bounded', () => {
  let schema: unknown = 'string'
  for (let level = 0; level < 40; level++) schema = { type: 'array', items: schema }
  expect(checkSchemaMap({ a: schema }, 's')[0]?.message).toContain('nested')
})

test('more issues than a function can have arguments are issues all the same', () => {
  const properties = Object.fromEntries(Array.from({ length: 150_000 }, (_, at) => [`p${at}`, 1]))
  expect(checkSchema({ type: 'object', properties }, 'a')).toHaveLength(150_000)
})
