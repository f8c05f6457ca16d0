import { Conditions } from '@tocsin/contract'
import { describe, expect, test } from 'vitest'
import { conditionsOf, rowsOf, valueIssue } from './conditions.ts'

const noType = () => undefined

describe('filters as rows and as JSON', () => {
  test('conditions that rows can express survive the conversion unchanged', () => {
    const conditions = {
      any: [
        { param: 'to', op: 'eq', value: '0xabc' },
        { param: 'value', op: 'gte', value: '100' },
        { param: 'symbol', op: 'in', value: ['DAI', 'USDC'] },
        { param: 'memo', op: 'startsWith', value: 'pay' },
      ],
    }
    const rows = rowsOf(conditions)
    expect(rows && conditionsOf(rows, noType)).toEqual(conditions)
    expect(Conditions.safeParse(rows && conditionsOf(rows, noType)).success).toBe(true)
  })

  test('conditions that rows cannot express are edited as JSON', () => {
    expect(rowsOf({ all: [{ not: { param: 'to', op: 'eq', value: 'x' } }] })).toBeUndefined()
    expect(rowsOf({ not: { param: 'to', op: 'eq', value: 'x' } })).toBeUndefined()
    expect(rowsOf({ all: [{ any: [] }] })).toBeUndefined()
    expect(rowsOf({ all: [], any: [] })).toBeUndefined()
    expect(rowsOf({ any: [] })).toBeUndefined()
    expect(rowsOf({ param: 'logs', contains: { param: 'a', op: 'eq', value: 1 } })).toBeUndefined()
  })

  test('a value that a row would change is edited as JSON', () => {
    expect(rowsOf({ all: [{ param: 'to', op: 'eq', value: null }] })).toBeUndefined()
    expect(rowsOf({ all: [{ param: 'n', op: 'in', value: ['a, b'] }] })).toBeUndefined()
    expect(rowsOf({ all: [{ param: 'to', op: 'in', value: { list: 'acme.whales' } }] })).toBeUndefined()
    expect(rowsOf({ all: [{ param: 'n', op: 'gt', value: { amount: '1', decimals: 6 } }] })).toBeUndefined()
  })

  test.each([
    ['abc', 'balance', true],
    ['', 'number', true],
    ['1,000', 'integer', true],
    ['1000.5', 'balance', false],
    ['-1e18', 'number', false],
    ['{{inputs.least}}', 'number', false],
    ['abc', 'text', false],
  ])('“more than %j” on a field of kind %s: refused is %s', (value, kind, isRefused) => {
    expect(valueIssue({ param: 'value', op: 'gt', value }, kind) !== undefined).toBe(isRefused)
    expect(valueIssue({ param: 'value', op: 'startsWith', value }, kind)).toBeUndefined()
  })

  test('no rows mean no conditions', () => {
    expect(conditionsOf({ join: 'all', rows: [] }, noType)).toBeNull()
    expect(rowsOf(null)).toEqual({ join: 'all', rows: [] })
    expect(rowsOf({})).toEqual({ join: 'all', rows: [] })
  })

  test('a boolean field is compared with a boolean', () => {
    const rows = { join: 'all' as const, rows: [{ param: 'ok', op: 'eq' as const, value: 'true' }] }
    expect(conditionsOf(rows, () => 'boolean')).toEqual({ all: [{ param: 'ok', op: 'eq', value: true }] })
  })
})
