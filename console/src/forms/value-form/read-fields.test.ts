import { describe, expect, test } from 'vitest'
import { fieldsOf, initialValues, missingIn } from './read-fields.ts'

describe('forms by a schema', () => {
  test('a map of names and a JSON Schema of an object ask for the same', () => {
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

  test('a schema that wraps another one is that schema, with what it adds', () => {
    const [field] = fieldsOf({ token: { type: { type: 'address', addressType: 'evm' }, description: 'The token' } })
    expect(field).toMatchObject({ kind: 'address', addressType: 'evm', description: 'The token', title: 'Token' })
  })

  test('what has a default is not asked for again, and what is missing is named', () => {
    const fields = fieldsOf({ every: { type: 'string', default: '5m' }, to: 'string' })
    expect(missingIn(fields, {}).map(({ path }) => path)).toEqual(['to'])
    expect(initialValues(fields, { to: 'me' })).toEqual({ every: '5m', to: 'me' })
  })
})
