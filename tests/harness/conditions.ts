import type { Condition } from '@tocsin/contract'
import fc from 'fast-check'
import { expect } from 'vitest'

type Scalar = string | number | boolean | null

/** The inputs of the test's subscriptions; no subscription has `missing`. */
export const testedInputs = { list: ['1', 'Abc', null], nested: { one: '1' }, pattern: '^(?:0x1|a|1)', text: 'aBC' }
const filled: Scalar[] = ['{{inputs.nested.one}}', '{{ inputs.text }}', '{{inputs.missing}}', 'a{{inputs.text}}']
const lists = ['{{inputs.list}}', '{{inputs.text}}', '{{inputs.missing}}']
const patterns = ['1', '^0x', 'A$', 'b.?c|^1', '[0-9]{2,}', '^$', '(', '{{inputs.pattern}}', '{{inputs.missing}}']

/** Conditions of every form on these params; `values` are values of the test's items, so that many conditions are met. */
export function conditionsOn(params: readonly string[], values: readonly Scalar[]): fc.Arbitrary<Condition> {
  const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { arbitrary: comparisonsOn(params, values), weight: 5 },
      fc.record({ all: fc.array(tie('condition'), { maxLength: 3 }) }),
      fc.record({ any: fc.array(tie('condition'), { maxLength: 3 }) }),
      fc.record({ not: tie('condition') }),
      fc.record({ any: fc.array(equalitiesOn(params, values), { minLength: 2, maxLength: 4 }) }),
      fc.record({ param: fc.constantFrom(...params), contains: comparisonsOn(['this', 'x', 'this.x'], values) }),
    ) as fc.Arbitrary<Condition>,
  }))
  return condition
}

/** Several of these alternatives are often met together. */
function equalitiesOn(params: readonly string[], values: readonly Scalar[]): fc.Arbitrary<unknown> {
  const list = fc.array(fc.constantFrom(...values), { minLength: Math.floor(values.length / 2) })
  return fc.record({ param: fc.constantFrom(...params), op: fc.constant('in'), value: list })
}

function comparisonsOn(params: readonly string[], values: readonly Scalar[]): fc.Arbitrary<unknown> {
  const param = fc.constantFrom(...params)
  const one = fc.oneof({ arbitrary: fc.constantFrom(...values), weight: 6 }, fc.constantFrom(...filled))
  const list = fc.oneof({ arbitrary: fc.array(one, { maxLength: 6 }), weight: 3 }, fc.constantFrom(...lists))
  const field = fc.oneof(
    fc.record({ path: param }),
    fc.record({ path: param, times: fc.constantFrom('1', '0.5', -1), plus: fc.constantFrom('0', '1', '-0.5') }),
  )
  const beginning = fc.tuple(one, fc.nat(3)).map(([value, length]) => String(value).slice(0, length))
  return fc.oneof(
    { arbitrary: fc.record({ param, op: fc.constantFrom('eq', 'eq', 'ne'), value: one }), weight: 3 },
    { arbitrary: fc.record({ param, op: fc.constantFrom('gt', 'gte', 'lt', 'lte'), value: one }), weight: 3 },
    { arbitrary: fc.record({ param, op: fc.constantFrom('in', 'nin'), value: list }), weight: 2 },
    fc.record({ param, op: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte'), value: field }),
    fc.record({ param, op: fc.constant('startsWith'), value: beginning }),
    fc.record({ param, op: fc.constant('matches'), value: fc.constantFrom(...patterns) }),
  )
}

/** Counts pairs of an entry and an item, because a test proves nothing about a case that never occurred. */
export type Tally = { asked: number; met: number; proven: number; refused: number }

export function makeTally(): Tally {
  return { asked: 0, met: 0, proven: 0, refused: 0 }
}

/**
 * Requires that many pairs matched and many did not, that the index proved many, and that it left some to verification, of
 * which some passed and some did not. How many it left depends on the seed.
 */
export function expectFairShare({ asked, met, proven, refused }: Tally): void {
  expect(met / asked).toBeGreaterThan(0.1)
  expect(met / asked).toBeLessThan(0.9)
  expect(proven / met).toBeGreaterThan(0.1)
  expect(met - proven).toBeGreaterThan(0)
  expect(refused).toBeGreaterThan(0)
}
