import { Conditions, TriggerConditions } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { ops } from '../condition-ops.ts'
import {
  convertValue,
  formsFor,
  namedUnits,
  valueFor,
  valueFormOf,
  valueIssue,
  valuesFrom,
} from './condition-values.ts'

test('every form that an operator offers is one that the service accepts', () => {
  const typed = {
    ...{ plain: '5', values: ['5'], list: { list: 'acme.whales' }, units: { amount: '5', decimals: 6 } },
    path: { path: 'source.y', times: '0.98' },
  }
  for (const { value: op } of ops)
    for (const form of formsFor(op, true)) {
      const text = op === 'in' || op === 'nin' ? '{{inputs.x}}' : '5'
      const value = form in typed && form !== 'plain' ? Reflect.get(typed, form) : convertValue(text, form)
      expect(TriggerConditions.safeParse({ param: 'source.x', op, value }).success, `${op} ${form}`).toBe(true)
      expect(valueFormOf(value)).toBe(form in namedUnits ? 'units' : form)
      expect(Conditions.safeParse({ param: 'x', op, value }).success).toBe(form !== 'token')
    }
  expect(formsFor('gt', false)).not.toContain('token')
})

test('another form or operator keeps what the user typed', () => {
  expect(convertValue('1.5', 'units', 18)).toEqual({ amount: '1.5', decimals: 18 })
  expect(convertValue({ amount: '1.5', decimals: 6 }, 'token')).toEqual({ amount: '1.5', token: '{{source.address}}' })
  expect(convertValue({ amount: '1.5', decimals: 6 }, 'plain')).toBe('1.5')
  expect(valueFor('in', '0xabc', true)).toEqual(['0xabc'])
  expect(valueFor('in', '{{inputs.list}}', true)).toBe('{{inputs.list}}')
  expect(valueFor('startsWith', ['a', 'b'], true)).toBe('a, b')
  expect(valueFor('lt', { amount: '1', decimals: 6 }, true)).toEqual({ amount: '1', decimals: 6 })
  expect(valueFor('gt', { amount: '1', token: 't' }, false)).toBe('1')
})

test('a value of a list keeps its type when another value changes', () => {
  expect(valuesFrom(['5', 'true', '6'], [5, true])).toEqual([5, true, '6'])
  expect(valuesFrom(['a, b'], ['a, b'])).toEqual(['a, b'])
})

test.each([
  ['abc', 'balance', true],
  ['', 'number', true],
  ['1,000', 'integer', true],
  ['1000.5', 'balance', false],
  ['-1e18', 'number', false],
  ['{{inputs.least}}', 'number', false],
  ['abc', 'text', false],
  [{ amount: '1', decimals: 6 }, 'balance', false],
] as const)('“more than %j” on a field of kind %s: refused is %s', (value, kind, isRefused) => {
  expect(valueIssue('gt', value, kind) !== undefined).toBe(isRefused)
  expect(valueIssue('startsWith', value, kind)).toBeUndefined()
})
