import { expect, test } from 'vitest'
import { issuesOf } from '../base/issues.ts'
import { FindLatestBlock, ProviderTest, TriggerPreview, TriggerTest, TriggerTestBlock } from './try-outs.ts'

const definition = {
  triggerSpec: { type: 'timer', interval: '5m' },
  providers: [],
  transform: 'source',
  outputSchema: {},
}

test('a test needs a sample: input, test, or the testInput of its spec', () => {
  const parsed = TriggerTest.safeParse(definition)
  expect(parsed.success ? [] : issuesOf(parsed.error)).toEqual([
    { path: 'input', message: 'one of input and test is required' },
  ])
  const withTestInput = { ...definition, triggerSpec: { ...definition.triggerSpec, testInput: { now: 1 } } }
  for (const sample of [
    { ...definition, input: {} },
    { ...definition, input: null },
    { ...definition, test: { block: 5 } },
    withTestInput,
  ]) {
    expect(TriggerTest.safeParse(sample).success).toBe(true)
  }
})

test.each([
  [TriggerPreview, { providers: [], transform: 'source', input: 1 }, ['providers', 'transform', 'input']],
  [TriggerTest, { ...definition, input: 1 }, ['triggerSpec', 'providers', 'transform', 'outputSchema', 'input']],
  [TriggerTestBlock, { ...definition, block: 1 }, ['triggerSpec', 'providers', 'transform', 'outputSchema', 'block']],
  [ProviderTest, { triggerSpec: null, provider: { id: 'a', type: 'http' } }, ['triggerSpec', 'provider']],
  [FindLatestBlock, { triggerSpec: definition.triggerSpec }, ['triggerSpec']],
])('the required fields of payload %# are required, and they are enough', (schema, payload, required) => {
  expect(schema.safeParse(payload).success).toBe(true)
  for (const field of required) {
    const rest = Object.fromEntries(Object.entries(payload).filter(([name]) => name !== field))
    expect(schema.safeParse(rest).success).toBe(false)
  }
})

test('find-latest-block searches 100 blocks by default and at most 1000', () => {
  expect(FindLatestBlock.parse({ triggerSpec: definition.triggerSpec }).maxBlocks).toBe(100)
  expect(FindLatestBlock.safeParse({ triggerSpec: definition.triggerSpec, maxBlocks: 1001 }).success).toBe(false)
})
