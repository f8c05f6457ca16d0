import type { Person } from '../../harness/index.ts'

/** A definition that uses every option of calls, bindings, providers and conditions. */

export const contract = `0x${'b2'.repeat(20)}`
export const factory = {
  contract: `0x${'c3'.repeat(20)}`,
  event: 'PairCreated',
  abiFragment: ['event PairCreated(address indexed token0, address pair)'],
  parameter: 'pair',
  fromBlock: 3,
}
const retry = {
  ...{ attempts: 3, delayMs: 500, backoff: 'linear' as const, maxDelayMs: 2000, maxElapsedMs: 9000 },
  ...{ retryOn: ['empty_array' as const], until: { path: 'a.b', equals: null }, exhausted: 'continue' as const },
}

export const everyOption = {
  triggerSpec: {
    ...{ type: 'evm_call' as const, dataSource: 'common.nowhere', contract: [contract, factory.contract] },
    ...{ method: 'swap', abiFragment: ['function swap((address a, uint256 b)[] hops, bytes data)'] },
    ...{ internal: true, success: 'any' as const },
  },
  sourceBindings: [
    { id: 'main', dataSource: 'common.nowhere', values: { limit: 5 } },
    { id: 'fork', dataSource: 'common.fork', contract: { factory } },
  ],
  inputs: { limit: { type: 'number' } },
  providers: [
    {
      ...{ id: 'api', type: 'http' as const, url: 'https://api.example.org/{{source.from}}', method: 'POST' as const },
      ...{ body: { a: [1, null] }, weight: 3, timeoutMs: 900, optional: true, outputSchema: { type: 'object' } },
      ...{ runIf: 'source.success', cache: { ttlMs: 1000, key: '{{source.from}}' }, retry },
    },
    { id: 'price', type: 'price' as const, feed: contract, maxAgeMs: 60_000 },
  ],
  conditions: {
    all: [
      { param: 'source.value', op: 'gt' as const, value: { amount: '0.5', decimals: 18 } },
      { not: { param: 'source.from', op: 'in' as const, value: [contract, 5, true, null] } },
      { any: [{ param: 'source.params.hops', contains: { param: 'b', op: 'gte' as const, value: 1 } }] },
      { param: 'providers.price.isStale', op: 'eq' as const, value: false },
      { param: 'source.output', op: 'ne' as const, value: null },
      { param: 'source.gasUsed', op: 'lte' as const, value: { path: 'providers.price.value', times: '1.5', plus: 2 } },
      { param: 'source.value', op: 'lt' as const, value: { amount: '{{inputs.limit}}', token: '{{source.to}}' } },
    ],
  },
  defaults: {
    severity: [
      { if: { param: 'raw.value', op: 'gt' as const, value: { amount: 5 } }, then: 'critical' as const },
      { then: 'warning' as const },
    ],
  },
  executionPolicy: { maxExecutionConcurrency: 2 },
}

type Draft = Awaited<ReturnType<Person['getTriggerDraft']>>

/** A trigger without what a save of a draft changes beside the definition. */
export function definitionOf({ draft: _, updatedAt: _u, hasDraft: _h, ...definition }: Draft): object {
  return definition
}
