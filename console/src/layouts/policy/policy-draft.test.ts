import type { Policy } from '@tocsin/contract'
import { policies } from '@tocsin/contract'
import { expect, test } from 'vitest'
import {
  checkPolicy,
  chooseOption,
  describePolicy,
  everyMatch,
  formOf,
  policyFields,
  policyOf,
  policyTypes,
  readPolicy,
  shownInputs,
} from './policy-draft.ts'

const samples: NonNullable<Policy>[] = [
  { type: 'throttle', per: '10m', key: 'from' },
  { type: 'digest', every: '2h', max: 20 },
  { type: 'digest', at: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
  { type: 'monitor', for: '5m', cooldown: '1h' },
  { type: 'threshold', value: 'price', below: '0.98', until: '0.99', for: '5m', repeat: '1h', key: 'pool' },
  { type: 'change', value: 'price', by: '5', direction: 'down' },
  { type: 'rate', value: 'price', per: '1h', below: '-5%', repeat: '6h' },
  { type: 'rate', value: 'price', per: '1h', above: { amount: '5', token: '{{source.address}}' } },
  { type: 'threshold', value: 'v', above: { amount: '100', decimals: 9 }, until: { amount: '90', decimals: 9 } },
  { type: 'change', value: 'v', by: { amount: '100' } },
  { type: 'sum', value: 'assets', within: '1h', above: { amount: '50000', decimals: 6 }, repeat: '1h', key: 'owner' },
  { type: 'count', count: 7, within: '10m' },
  { type: 'absence', within: '1d', key: 'to' },
]

test.each(samples)('the form reads %j and gives it back', (policy) => {
  const draft = readPolicy(policy)
  expect(checkPolicy(draft)).toEqual([])
  expect(policyOf(draft)).toEqual(policy)
})

test('every policy of the contract can be chosen, and has a form for each of its fields', () => {
  expect(policyTypes.map(({ value }) => value)).toEqual(policies.map(({ type }) => type))
  for (const { type, schema, form } of policies) {
    const inputs = form.flatMap((part) =>
      part.as === 'alternative' ? part.options.flatMap(({ fields }) => fields.map(({ name }) => name)) : [part.name],
    )
    expect([type, ...inputs.toSorted()]).toEqual([
      type,
      ...Object.keys(schema.shape)
        .filter((name) => name !== 'type')
        .sort(),
    ])
  }
})

test('the other side of a bound keeps the number, and an empty bound is an issue of the shown input', () => {
  const draft = readPolicy({ type: 'threshold', value: 'price', above: 10 })
  const side = formOf(draft).find((part) => part.as === 'alternative')
  if (!side) throw new Error('a threshold has two sides')
  const below = chooseOption(draft, side, 'below')
  expect(policyOf(below)).toEqual({ type: 'threshold', value: 'price', below: '10' })
  const empty = { ...below, texts: { ...below.texts, below: ' ' } }
  expect(shownInputs(side, empty).map(({ name }) => name)).toEqual(['below'])
  expect(checkPolicy(empty).map(({ path }) => path)).toEqual(['below'])
  expect(readPolicy(policyFields(empty))).toMatchObject({ texts: { side: 'below', below: '' } })
})

test('a new policy has suggestions, another type keeps what both have, and every match is no policy', () => {
  expect(policyOf({ ...everyMatch, type: 'count' })).toEqual({ type: 'count', count: 5, within: '10m' })
  const keyed = { ...readPolicy({ type: 'throttle', per: '1m', key: 'from' }), type: 'absence' as const }
  expect(policyOf(keyed)).toEqual({ type: 'absence', within: '10m', key: 'from' })
  expect([policyOf(everyMatch), checkPolicy(everyMatch)]).toEqual([null, []])
  expect(describePolicy(readPolicy({ type: 'rate', value: 'price', per: '1h', above: 5 }))).toBe(
    'Send when price rises by more than 5 within 1 hour, and when it no longer does',
  )
})
