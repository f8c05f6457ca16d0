import { describe, expect, test } from 'vitest'
import { fieldsOf, initialValues, missingIn } from './read-fields.ts'

describe('forms from a schema', () => {
  test('a map of names and a JSON Schema of an object give the same form', () => {
    const map = fieldsOf({ wallet: { type: 'address', addressType: 'evm' }, note: { type: 'string', optional: true } })
    const object = fieldsOf({
      type: 'object',
      properties: { wallet: { type: 'address', addressType: 'evm' }, note: 'string' },
      required: ['wallet'],
    })
    const brief = (fields: typeof map) => fields.map(({ name, kind, isRequired }) => [name, kind, isRequired])
    expect(brief(map)).toEqual([
      ['wallet', 'address', true],
      ['note', 'text', false],
    ])
    expect(brief(object)).toEqual(brief(map))
  })

  test('a wrapper schema gives the form of the schema that it wraps, with its additions', () => {
    const [field] = fieldsOf({ token: { type: { type: 'address', addressType: 'evm' }, description: 'The token' } })
    expect(field).toMatchObject({ kind: 'address', addressType: 'evm', description: 'The token', title: 'Token' })
  })

  test('a field with a default is not required, and missing fields are named', () => {
    const fields = fieldsOf({ every: { type: 'string', default: '5m' }, to: 'string' })
    expect(missingIn(fields, {}).map(({ path }) => path)).toEqual(['to'])
    expect(initialValues(fields, { to: 'me' })).toEqual({ every: '5m', to: 'me' })
  })
})
