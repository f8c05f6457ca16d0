import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EvaluationHouse, evaluationHouse } from '../../../../tests/harness/evaluation.ts'
import type { HistoryJob } from '../jobs/job.ts'
import { commitChunks } from './commit-chunks.ts'
import { evaluateHistory } from './evaluate-history.ts'
import { makeSerialPerTrigger } from './serial-per-trigger.ts'

let house: EvaluationHouse
beforeAll(async () => {
  house = await evaluationHouse()
})
afterAll(() => house.close())

test('a job that ran during a pause, and commits after its end, writes nothing and its blocks are read again', async () => {
  const triggerId = await house.trigger('t')
  const subscriptionId = await house.subscribe(triggerId)
  const deps = await house.openDeps()
  const at = house.clock.now()
  const nowMs = at.getTime()
  await deps.store.histories.add(subscriptionId, { source: 's', from: 1, to: 9, delivers: false }, at)
  const fetched = { subscriptionId, generation: 0, fetched: 0, upTo: 5, isQueued: true }
  await deps.store.histories.recordFetched(fetched, at)
  const block = { number: 5, hash: 'b5', timestampMs: nowMs, incarnation: 0 }
  const matches = [{ key: 'b5:0', item: { n: 1 }, listeners: [`${subscriptionId}:`] }]
  const chunk = { triggerId, source: 's', block, nowMs, depth: 0, matches, backfill: { delivers: false } }
  const data: HistoryJob = { history: { subscriptionId, generation: 0, upTo: 5 }, chunks: [chunk] }
  await deps.store.jobs.add('evaluate-ordered', [{ data, key: 'history', group: 'history' }])
  const claimed = await house.claim<HistoryJob>(deps.store, 'evaluate-ordered')
  const setPaused = (isPaused: boolean) => house.query('update subscriptions set paused = $1', [isPaused])
  await setPaused(true)
  await deps.listeners.refresh()
  const context = { deps, addressBooks: new Map(), serialPerTrigger: makeSerialPerTrigger() }
  const { results, commit } = await evaluateHistory(context, claimed)
  await setPaused(false)
  await commitChunks(deps, results, commit)
  const again = { fetched: 0, queued: 0, done: 0, generation: 1, state: 'running' }
  expect(await deps.store.histories.find(subscriptionId)).toMatchObject(again)
  expect(await house.alerts()).toEqual([])
})
