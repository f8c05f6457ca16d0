import { Conditions } from '@tocsin/contract'
import { describe, expect, test } from 'vitest'
import { conditionsOf, rowsOf, valueIssue } from './conditions.ts'

const noType = () => undefined

describe('filters as lines and as JSON', () => {
  test('what lines can say comes back from them as it was', () => {
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

  test('conditions that lines cannot say are left to JSON, not cut short', () => {
    expect(rowsOf({ all: [{ not: { param: 'to', op: 'eq', value: 'x' } }] })).toBeUndefined()
    expect(rowsOf({ not: { param: 'to', op: 'eq', value: 'x' } })).toBeUndefined()
    expect(rowsOf({ all: [{ any: [] }] })).toBeUndefined()
    expect(rowsOf({ all: [], any: [] })).toBeUndefined()
    expect(rowsOf({ any: [] })).toBeUndefined()
    expect(rowsOf({ param: 'logs', contains: { param: 'a', op: 'eq', value: 1 } })).toBeUndefined()
  })

  test('a value that a line would turn into another is left to JSON', () => {
    expect(rowsOf({ all: [{ param: 'to', op: 'eq', value: null }] })).toBeUndefined()
    expect(rowsOf({ all: [{ param: 'n', op: 'in', value: ['a, b'] }] })).toBeUndefined()
  })

  test.each([
    ['abc', 'balance', true],
    ['', 'number', true],
    ['1,000', 'integer', true],
    ['1000.5', 'balance', false],
    ['-1e18', 'number', false],
    ['{{inputs.least}}', 'number', false],
    ['abc', 'text', false],
  ])('more than %j of a field that is a %s: refused is %s', (value, kind, isRefused) => {
    expect(valueIssue({ param: 'value', op: 'gt', value }, kind) !== undefined).toBe(isRefused)
    expect(valueIssue({ param: 'value', op: 'startsWith', value }, kind)).toBeUndefined()
  })

  test('no lines ask for nothing', () => {
    expect(conditionsOf({ join: 'all', rows: [] }, noType)).toBeNull()
    expect(rowsOf(null)).toEqual({ join: 'all', rows: [] })
    expect(rowsOf({})).toEqual({ join: 'all', rows: [] })
  })

  test('a boolean field is compared with a boolean', () => {
    const rows = { join: 'all' as const, rows: [{ param: 'ok', op: 'eq' as const, value: 'true' }] }
    expect(conditionsOf(rows, () => 'boolean')).toEqual({ all: [{ param: 'ok', op: 'eq', value: true }] })
  })
})
