import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, harness } from '../../../../tests/harness/index.ts'
import type { EndpointReport } from '../../engine/sources/endpoint-report.ts'
import { MinuteSamples, type RunState } from './minute-samples.ts'

let house: Harness
beforeAll(async () => {
  house = await harness()
})
afterAll(() => house.close())

const minuteMs = 60_000
const report = (host: string, requests: number, failures: number): EndpointReport => ({
  ...{ host, requests, failures, timeouts: 0, slowDowns: 1, nulls: 0, incomplete: 0 },
  ...{ latencyMs: 20, restMs: 0, perSecond: null, lag: 2 },
})
const stateOf = (endpoints: EndpointReport[], more: Partial<RunState> = {}): RunState => ({
  ...{ source: 'common.ethereum', status: 'running', endpoints, ...more },
  runtime: { latestBlock: 100, processedBlock: 97, lag: 3, ...more.runtime },
})

test('each minute of the clock stores one sample with the calls of that minute', async () => {
  let nowMs = Math.floor(house.clock.now().getTime() / minuteMs) * minuteMs - 10 * minuteMs
  const samples = new MinuteSamples({ store: house.service.store, clock: () => new Date(nowMs) })
  const ann = await house.person('ann')
  await samples.record(() => [stateOf([report('one', 10, 0)])])
  expect(await ann.getSourceHistory({ fullname: 'common.ethereum' })).toMatchObject({ samples: [], endpoints: [] })
  nowMs += minuteMs
  const headAt = new Date(nowMs - 4_000).toISOString()
  await samples.record(() => [stateOf([report('one', 10, 0), report('two', 4, 4)], { runtime: { headAt } })])
  await samples.record(() => [stateOf([report('one', 99, 9)])])
  nowMs += minuteMs
  // The second endpoint was opened again: its counts start from zero.
  await samples.record(() => [stateOf([report('one', 30, 5), report('two', 1, 0)], { status: 'error' })])
  const { samples: shown, endpoints } = await ann.getSourceHistory({
    fullname: 'common.ethereum',
    query: { range: '1h' },
  })
  expect(shown).toEqual([
    {
      at: new Date(nowMs - minuteMs).toISOString(),
      status: 'running',
      head: 100,
      processed: 97,
      lag: 3,
      headAgeMs: 4_000,
    },
    { at: new Date(nowMs).toISOString(), status: 'error', head: 100, processed: 97 },
  ])
  expect(endpoints).toEqual([
    { host: 'one', requests: 30, failures: 5, timeouts: 0, rateLimited: 1, errorRate: 5 / 30, latencyMs: 20, lag: 2 },
    { host: 'two', requests: 5, failures: 4, timeouts: 0, rateLimited: 2, errorRate: 4 / 5, latencyMs: 20, lag: 2 },
  ])
})

test('a longer range joins minutes and keeps the worst of them', async () => {
  const ann = await house.person('ann')
  const { samples, stepMs } = await ann.getSourceHistory({ fullname: 'common.ethereum', query: { range: '7d' } })
  expect(stepMs).toBe(30 * minuteMs)
  expect(samples.at(-1)).toMatchObject({ status: 'error', head: 100 })
})
