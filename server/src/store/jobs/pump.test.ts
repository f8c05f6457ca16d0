import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EvaluationHouse, evaluationHouse, waitFor } from '../../../../tests/harness/evaluation.ts'
import type { OpenStore } from '../index.ts'

let house: EvaluationHouse
let store: OpenStore
beforeEach(async () => {
  house = await evaluationHouse()
  store = (await house.openDeps()).store
})
afterEach(() => house.close())

const options = { slots: 10, batchSize: 10, perGroup: 2 }

test('a job is heard of at once, without waiting for the next look', async () => {
  const taken: string[] = []
  const pump = store.board.pump<{ n: string }>('evaluate', { ...options, pollMs: 3_600_000 }, async (job) => {
    taken.push(job.data.n)
    await store.jobs.settle(job)
  })
  // The first look, and the ear at the channel, are there before what follows is added.
  await store.jobs.add('evaluate', [{ data: { n: 'first' } }])
  await waitFor(async () => {
    if (taken.length === 0) pump.wake()
    return taken.length === 1
  })
  await store.jobs.add('evaluate', [{ data: { n: 'second' } }])
  await waitFor(() => taken.length === 2)
})

test('one group never takes more slots than it may, and what it leaves others get', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let [slow, most, quick] = [0, 0, 0]
  store.board.pump<{ group: string }>('evaluate', { ...options, slots: 4 }, async (job) => {
    if (job.data.group === 'slow') {
      most = Math.max(most, ++slow)
      await promise
      slow--
    } else quick++
    await store.jobs.settle(job)
  })
  const jobs = (group: string, count: number) => Array.from({ length: count }, () => ({ data: { group }, group }))
  await store.jobs.add('evaluate', [...jobs('slow', 8), ...jobs('quick', 20)])
  await waitFor(() => quick === 20)
  expect({ slow, most }).toEqual({ slow: 2, most: 2 })
  resolve()
  await house.settled()
  expect(most).toBe(2)
})

test('a job whose handling fails is tried again, and one whose process stops goes to others at once', async () => {
  let tries = 0
  store.board.pump('evaluate', options, async (job) => {
    if (++tries === 1) throw new Error('not yet')
    await store.jobs.settle(job)
  })
  await store.jobs.add('evaluate', [{ data: {} }])
  await waitFor(async () => {
    await house.query("update pgboss.job set start_after = now() where name = 'evaluate' and state = 'retry'")
    return tries === 2
  })
  await house.settled()

  const stuck = store.board.pump('policy', options, () => new Promise<void>(() => undefined))
  await store.jobs.add('policy', [{ data: {} }])
  const state = async () =>
    (await house.query<{ state: string }>("select state from pgboss.job where name = 'policy'"))[0]?.state
  await waitFor(async () => (await state()) === 'active')
  await stuck.stop()
  expect(await state()).toBe('retry')
})

test('a claim that others took is told to whoever works on it', async () => {
  const { promise: isAborted, resolve } = Promise.withResolvers<void>()
  store.board.pump('evaluate', options, async (job) => {
    job.signal.addEventListener('abort', () => resolve())
    await isAborted
  })
  await store.jobs.add('evaluate', [{ data: {} }])
  await waitFor(
    async () =>
      (await house.query("select 1 from pgboss.job where name = 'evaluate' and state = 'active'")).length === 1,
  )
  await house.query("update pgboss.job set retry_count = retry_count + 1 where name = 'evaluate'")
  await isAborted
})
