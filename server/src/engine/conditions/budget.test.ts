import { Comparison, type Condition } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { OverBudget, runSteps, withinSteps } from './budget.ts'
import { fieldsOfRun } from './fields.ts'
import { compileLinearRegex } from './linear-regex.ts'
import { compile, compileConditions } from './predicate.ts'
import {
  compileEarlyFilter,
  compileEarlyTriggerFilter,
  compileTriggerConditions,
  explainConditions,
} from './trigger-conditions.ts'

/** The steps that the work takes, rounded up to a power of two. */
function stepsOf(work: () => unknown): number {
  const isWithin = (steps: number) =>
    withinSteps(
      steps,
      () => [work()],
      () => undefined,
    ) !== undefined
  let steps = 1
  while (!isWithin(steps)) steps *= 2
  return steps
}

function evaluation(condition: Condition, source: unknown, inputs: Record<string, unknown> = {}) {
  return () => compile(condition, fieldsOfRun, inputs)({ source, inputs, providers: {} })
}

const text = (length: number) => 'a'.repeat(length)
const list = (length: number) => Array.from({ length }, (_, at) => at + 0.5)
const nothing: Condition = { all: [] }

/** Each operator and connective with a value, a list or conditions that grow. */
const growing: [string, (size: number) => () => unknown, least: number][] = [
  ['eq of a text', (size) => evaluation({ param: 'source.x', op: 'eq', value: 'b' }, { x: text(size) }), 64],
  ['ne of a text', (size) => evaluation({ param: 'source.x', op: 'ne', value: 'b' }, { x: text(size) }), 64],
  ['in of a text', (size) => evaluation({ param: 'source.x', op: 'in', value: ['b', 'c'] }, { x: text(size) }), 64],
  ['nin of a text', (size) => evaluation({ param: 'source.x', op: 'nin', value: ['b', 'c'] }, { x: text(size) }), 64],
  ['gte of a text', (size) => evaluation({ param: 'source.x', op: 'gte', value: 'b' }, { x: text(size) }), 64],
  ['lt of a text', (size) => evaluation({ param: 'source.x', op: 'lt', value: 'b' }, { x: text(size) }), 64],
  ['not', (size) => evaluation({ not: { param: 'source.x', op: 'eq', value: 'b' } }, { x: text(size) }), 64],
  ['gt of a text', (size) => evaluation({ param: 'source.x', op: 'gt', value: 'b' }, { x: text(size) }), 64],
  ['lte with a number', (size) => evaluation({ param: 'source.x', op: 'lte', value: 5 }, { x: text(size) }), 64],
  ['startsWith', (size) => evaluation({ param: 'source.x', op: 'startsWith', value: 'aa' }, { x: text(size) }), 64],
  ['matches', (size) => evaluation({ param: 'source.x', op: 'matches', value: '(a?){9}b' }, { x: text(size) }), 1],
  ['contains', (size) => evaluation({ param: 'source.x', contains: nothing }, { x: list(size).map(() => 1) }), 0],
  [
    'contains without a hit',
    (size) => evaluation({ param: 'source.x', contains: { param: 'this', op: 'eq', value: -1 } }, { x: list(size) }),
    1,
  ],
  [
    'all in contains',
    (size) =>
      evaluation(
        { param: 'source.x', contains: { any: Array.from({ length: 100 }, () => ({ any: [] })) } },
        { x: list(size / 64) },
      ),
    1,
  ],
  ['all', (size) => evaluation({ all: Array.from({ length: size }, () => nothing) }, {}), 1],
  ['any', (size) => evaluation({ any: Array.from({ length: size }, () => ({ any: [] })) }, {}), 1],
  [
    'a long input in many values',
    (size) =>
      evaluation(
        { param: 'source.x', op: 'in', value: Array.from({ length: 64 }, (_, at) => `${at}{{inputs.long}}`) },
        { x: '' },
        { long: text(size) },
      ),
    1,
  ],
]

test.each(growing)('%s costs steps by its size', (_, make, least) => {
  const [small, large] = [stepsOf(make(4_096)), stepsOf(make(16_384))]
  if (least === 0) expect(large).toBe(small)
  else {
    expect(small).toBeGreaterThanOrEqual(4_096 / least)
    expect(large / small).toBe(4)
  }
})

test('the table has every operator and every connective of the contract', () => {
  const operators = Comparison.options.flatMap(({ shape: { op } }) => ('options' in op ? op.options : [...op.values]))
  const missing = [...operators, 'all', 'any', 'not', 'contains'].filter(
    (operator) => !growing.some(([name]) => name.split(' ')[0] === operator),
  )
  expect(missing).toEqual([])
})

test('an expression of many repetitions costs steps when it is compiled and for each character', () => {
  const compileOne = () => compileLinearRegex('(a?){60}a{60}$')
  expect(stepsOf(compileOne)).toBeGreaterThanOrEqual(256)
  const isMatch = withinSteps(runSteps, compileOne, () => undefined)
  expect(stepsOf(() => isMatch?.('a'.repeat(4_096)))).toBeGreaterThanOrEqual(32 * 4_096)
})

const long = Array.from({ length: 150_000 }, () => 1.5)
const unmet: Condition = { param: 'source.list', contains: { param: 'this', op: 'eq', value: 2 } }

test('a run over its budget fails, and an early filter keeps what it cannot decide', () => {
  const values = { source: { list: long }, inputs: {}, providers: {} }
  expect(() => compileTriggerConditions(unmet, {})(values)).toThrow(OverBudget)
  expect(compileEarlyTriggerFilter(unmet, {})(values.source)).toBe(true)
  const filtersSchema = { list: { type: 'array', sourcePath: 'list' } }
  const ofListener: Condition = { ...unmet, param: 'list' }
  expect(() => compileConditions(ofListener, { filtersSchema })({}, values.source)).toThrow(
    'take too many steps: one run may take 100,000',
  )
  expect(compileEarlyFilter(ofListener, { filtersSchema })(values.source)).toBe(true)
  // The next evaluation has a budget of its own.
  expect(compileConditions(ofListener, { filtersSchema })({}, { list: [2] })).toBe(true)
})

test('inputs that make the values too large fail each run, and not the trigger of others', () => {
  const value = Array.from({ length: 10_000 }, (_, at) => `${at}{{inputs.long}}`)
  const condition: Condition = { param: 'source.x', op: 'in', value }
  const run = (long: string) =>
    compileTriggerConditions(condition, { long })({ source: { x: '5b' }, inputs: { long }, providers: {} })
  expect(run('b')).toBe(true)
  expect(() => run('b'.repeat(100_000))).toThrow(OverBudget)
  expect(run('c')).toBe(false)
})

test('an explanation shows a long value cut, and parts that cost too much without a result', () => {
  const source = { list: long, text: text(700_000), object: { a: text(400) }, short: { a: [1] } }
  const parts = Object.keys(source).map((name) => ({ param: `source.${name}`, op: 'eq' as const, value: text(700) }))
  const values = { source, inputs: {}, providers: {} }
  expect(explainConditions({ all: parts }, { values }).map(({ value, wanted }) => [value, wanted])).toEqual([
    ['150000 values', `${text(300)}…`],
    [`${text(300)}…`, `${text(300)}…`],
    ['an object', `${text(300)}…`],
    [{ a: [1] }, `${text(300)}…`],
  ])
  const many = explainConditions({ any: Array.from({ length: 300 }, () => unmet) }, { values })
  expect(many).toHaveLength(300)
  expect(JSON.stringify(many).length).toBeLessThan(300 * 400)
  expect(many.at(-1)).toMatchObject({ held: null, issue: expect.stringContaining('take too many steps') })
})
