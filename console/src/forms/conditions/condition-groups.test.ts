import { TriggerConditions } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { blankRow, issueOf, withParam } from './condition-form.ts'
import { comparisonsIn, conditionOf, groupOf, rootGroupOf } from './condition-groups.ts'

const a = { param: 'source.a', op: 'eq', value: 1 }
const b = { param: 'source.b', op: 'in', value: { list: 'acme.whales' } }
const c = { param: 'source.logs', contains: { param: 'x', op: 'gt', value: '5' } }

test.each([
  [{ all: [a, b] }, 'all', ['conditions.all.0', 'conditions.all.1']],
  [{ any: [a, c] }, 'any', ['conditions.any.0', 'conditions.any.1']],
  [{ not: { any: [a, { all: [b] }] } }, 'none', ['conditions.not.any.0', 'conditions.not.any.1']],
  [{ not: { all: [a, b] } }, 'notAll', ['conditions.not.all.0', 'conditions.not.all.1']],
])('%j is a group that turns back into the same condition', (condition, join, paths) => {
  const group = rootGroupOf(condition, 'conditions')
  expect([group.join, group.parts.map(({ path }) => path)]).toEqual([join, paths])
  const parts = group.parts.map((part) => part.condition)
  expect(conditionOf(group.join, parts)).toEqual(condition)
  expect(TriggerConditions.safeParse(conditionOf(group.join, parts)).success).toBe(true)
})

test('a single row and a single negated row are groups of one, whose issues keep their paths', () => {
  expect(rootGroupOf(a, 'conditions')).toEqual({ join: 'all', parts: [{ condition: a, path: 'conditions' }] })
  expect(groupOf({ not: c }, 'conditions')).toEqual({
    join: 'none',
    parts: [{ condition: c, path: 'conditions.not' }],
  })
  expect(groupOf({ not: { not: a } }, 'p')?.parts).toEqual([{ condition: { not: a }, path: 'p.not' }])
  expect([groupOf(a, 'p'), groupOf(c, 'p'), groupOf({ all: [a], any: [b] }, 'p')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('no conditions are an empty group, and an empty group is no conditions', () => {
  for (const nothing of [null, undefined, {}])
    expect(rootGroupOf(nothing, 'conditions')).toEqual({ join: 'all', parts: [] })
  expect(conditionOf('any', [])).toBeUndefined()
})

test('all comparisons are found, except those on elements of a list', () => {
  const nested = { all: [a, { not: { any: [b, c] } }] }
  expect(comparisonsIn(nested, 'conditions').map(({ path }) => path)).toEqual([
    'conditions.all.0',
    'conditions.all.1.not.any.0',
  ])
})

test('a row on a boolean field compares with true or false', () => {
  const fields = [{ name: 'ok', kind: 'boolean' as const, isOffered: true }]
  expect(blankRow(fields)).toEqual({ param: 'ok', op: 'eq', value: true })
  expect(blankRow([{ name: 'ok', kind: 'boolean' }])).toEqual({ param: '', op: 'eq', value: '' })
  expect(withParam({ param: '', op: 'gt', value: '5' }, 'ok', fields)).toEqual({ param: 'ok', op: 'gt', value: '5' })
})

test('a row shows the issues of its parts, and a group only its own', () => {
  const issues = [{ path: 'conditions.all.10.value', message: 'wrong' }]
  expect(issueOf(issues, 'conditions.all.10', false)).toBe('wrong')
  expect(issueOf(issues, 'conditions.all.1', false)).toBeUndefined()
  expect(issueOf(issues, 'conditions', true)).toBeUndefined()
})
