import { Defaults, type Issue, issuesOf, itemToken } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { checkDefaults } from '../check/index.ts'
import { messageContext, renderMessage } from './index.ts'

const token = `0x${'1'.repeat(40)}`
const trigger = { title: 'T', fullname: 'a.p.t', project: 'a.p' }
const item = { address: token, params: { value: '5000000' } }
const policy = { type: 'sum', bound: '100', value: '250', since: '2026-01-01T00:00:00.000Z' } as const
const output = { raw: { value: '5000000', to: 'A', list: [1, 2, 3] }, human: { value: '5' } }
const render = (severity: unknown, decimals?: number | null) => {
  const defaults = Defaults.parse({ severity })
  const {
    severity: decided,
    severityRule,
    issues,
  } = renderMessage(defaults, messageContext({ trigger, item, output, policy }), {
    severityScope: {
      item,
      inputs: { limit: '4' },
      ...(decimals !== undefined && { tokens: new Map([[itemToken, decimals]]) }),
    },
  })
  return { decided, rule: severityRule, issues }
}
const when = (param: string, op: string, value: unknown, then = 'critical') => ({ if: { param, op, value }, then })

test.each<[string, unknown, string, number | undefined]>([
  ['a path in raw', [when('value', 'gt', '4999999')], 'critical', 0],
  ['raw. as well', [when('raw.value', 'gt', '4999999')], 'critical', 0],
  ['the text for people', [when('human.value', 'gt', 4)], 'critical', 0],
  ['what the policy decided by', [when('policy.value', 'gt', { path: 'policy.bound', times: '2' })], 'critical', 0],
  ['an input', [when('human.value', 'gt', '{{inputs.limit}}')], 'critical', 0],
  ['the length of a list', [when('raw.list.length', 'gt', 2)], 'critical', 0],
  ['none that holds', [when('value', 'lt', 0)], 'info', undefined],
  ['the last one without conditions', [when('value', 'lt', 0), { then: 'warning' }], 'warning', 1],
  ['the first of two that hold', [when('to', 'eq', 'a', 'warning'), when('to', 'eq', 'A')], 'warning', 0],
  ['a missing value', [when('raw.gone', 'ne', 5, 'warning')], 'warning', 0],
])('a severity by conditions: %s', (_, severity, decided, rule) => {
  expect(render(severity)).toEqual({ decided, rule, issues: [] })
})

test('an amount in whole tokens holds only if the decimals of the token are known', () => {
  const severity = [when('raw.value', 'gte', { amount: '5' }), { then: 'warning' }]
  expect([6, 7, null, undefined].map((decimals) => render(severity, decimals).decided)).toEqual([
    'critical',
    'warning',
    'warning',
    'warning',
  ])
})

const refused = (severity: unknown): Issue[] => {
  const read = Defaults.safeParse({ severity })
  return read.success ? checkDefaults(read.data, 'd', new Set(['limit'])) : issuesOf(read.error)
}

test.each<[unknown, string]>([
  [[], 'severity'],
  [[{ then: 'warning' }, when('value', 'gt', 1)], 'severity.0.if'],
  [[when('value', 'gt', 1, 'urgent')], 'severity.0'],
  [[{ if: { param: 'to', op: 'in', value: { list: 'acme.list' } }, then: 'critical' }], 'severity.0.if.value.list'],
  [[when('value', 'gt', { amount: '5', token })], 'severity.0.if.value.token'],
  [[when('policy.bond', 'gt', 1)], 'd.severity.0.if.param'],
  [[when('value', 'gt', '{{inputs.most}}')], 'd.severity.0.if'],
  [[when('value', 'eq', '{{source.address}}')], 'd.severity.0.if'],
  ['urgent', 'd.severity'],
])('%j is refused at %s', (severity, path) => {
  expect(refused(severity)[0]?.path).toMatch(new RegExp(`^${path.replaceAll('.', '\\.')}`))
})

test('the rules of a severity are saved as they are', () => {
  expect(refused([when('policy.value', 'gt', '{{inputs.limit}}'), { then: 'warning' }])).toEqual([])
})

test('all rules of a severity share one budget; beyond it the severity is info, and says so', () => {
  const many = Array.from({ length: 400 }, () => ({ param: 'raw.text', op: 'matches', value: '(a|b)*c$' }))
  const rules = Array.from({ length: 20 }, () => ({ if: { any: many }, then: 'critical' }))
  const severity = Defaults.parse({ severity: rules })
  const raw = { text: 'ab'.repeat(5_000) }
  const context = messageContext({ trigger, item, output: { raw, human: raw } })
  const { severity: decided, issues } = renderMessage(severity, context)
  expect([decided, issues]).toEqual(['info', [expect.stringContaining('take too many steps')]])
})
