import { expect, test } from 'vitest'
import { rulesOf, severityOf } from './severity-rules.ts'

const rule = { if: { param: 'policy.value', op: 'gt', value: 5 }, then: 'critical' } as const

test('a severity by conditions is read as its rules and what applies otherwise', () => {
  expect(severityOf(rulesOf([rule, { then: 'warning' }]) ?? [])).toEqual({ conditional: [rule], otherwise: 'warning' })
  expect(severityOf(rulesOf([rule]) ?? [])).toEqual({ conditional: [rule], otherwise: 'info' })
  expect(severityOf([])).toEqual({ conditional: [], otherwise: 'info' })
})

test('a word and a template are no rules', () => {
  expect([undefined, 'critical', '{{raw.level}}'].map(rulesOf)).toEqual([undefined, undefined, undefined])
})
