import { setImmediate as nextTurn } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type EvaluationHouse, evaluationHouse, waitFor } from '../../../../tests/harness/evaluation.ts'
import { openPool } from '../core/pool.ts'
import type { Tables } from '../core/tables.ts'
import type { OpenStore } from '../index.ts'
import type { ClaimedJob } from './job.ts'
import { findNextStartMs } from './job-queue.ts'

let house: EvaluationHouse
let store: OpenStore
beforeEach(async () => {
  house = await evaluationHouse()
  store = (await house.openDeps()).store
})
afterEach(() => house.close())

const options = { slots: 10, batchSize: 10, perGroup: 2 }

test('a notification starts a job at once, without waiting for the next poll', async () => {
  const taken: string[] = []
  const pump = store.jobQueue.pump<{ n: string }>(
    'evaluate',
    { ...options, findPollMs: async () => 3_600_000 },
    async (job) => {
      taken.push(job.data.n)
      await store.jobs.finish(job)
    },
  )
  // Once the first job has run, the pump polls and listens. Only then the second job is added.
  await store.jobs.add('evaluate', [{ data: { n: 'first' } }])
  await waitFor(async () => {
    if (taken.length === 0) pump.wake()
    return taken.length === 1
  })
  await store.jobs.add('evaluate', [{ data: { n: 'second' } }])
  await waitFor(() => taken.length === 2)
})

test('a commit wakes the pumps of its own process without a notice', async () => {
  await store.notifications.close()
  const taken: string[] = []
  const takeJob = async (job: ClaimedJob<{ n: string }>) => {
    taken.push(job.data.n)
    await store.jobs.finish(job)
  }
  store.jobQueue.pump('evaluate', { ...options, findPollMs: async () => 3_600_000 }, takeJob)
  await store.tx((store) => store.jobs.add('evaluate', [{ data: { n: 'in a transaction' } }]))
  await waitFor(() => taken.length === 1)
  await store.jobs.add('evaluate', [{ data: { n: 'alone' } }])
  await waitFor(() => taken.length === 2)
})

test('one group never takes more slots than its limit, and other groups get the rest', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let [slow, slowMax, quick] = [0, 0, 0]
  store.jobQueue.pump<{ group: string }>('evaluate', { ...options, slots: 4 }, async (job) => {
    if (job.data.group === 'slow') {
      slowMax = Math.max(slowMax, ++slow)
      await promise
      slow--
    } else quick++
    await store.jobs.finish(job)
  })
  const jobs = (group: string, count: number) => Array.from({ length: count }, () => ({ data: { group }, group }))
  await store.jobs.add('evaluate', [...jobs('slow', 8), ...jobs('quick', 20)])
  await waitFor(() => quick === 20)
  expect({ slow, slowMax }).toEqual({ slow: 2, slowMax: 2 })
  resolve()
  await house.settled()
  expect(slowMax).toBe(2)
})

test('the end of a job causes a claim only if jobs may be left', async () => {
  const claims = vi.spyOn(store.jobQueue.pgBoss(), 'fetch')
  const ended: string[] = []
  const takeJob = async (job: ClaimedJob<object>) => {
    await store.jobs.finish(job)
    ended.push(job.queue)
  }
  await store.notifications.close()
  const claimsAfterEnd = async (queue: 'evaluate' | 'evaluate-ordered', slots: number, jobs: object[]) => {
    const pump = store.jobQueue.pump(queue, { ...options, findPollMs: async () => 3_600_000, slots }, takeJob)
    await waitFor(() => claims.mock.calls.length > 0)
    await Promise.all(claims.mock.results.map(({ value }) => value))
    for (let turn = 0; turn < 5; turn++) await nextTurn()
    claims.mockClear()
    const before = ended.length
    // Another process adds them: this one would start some of its own without a claim.
    const boss = store.jobQueue.pgBoss()
    await boss.insert(
      queue,
      jobs.map((data, at) => ({ data, singletonKey: String(at) })),
    )
    store.jobQueue.noteAdded(queue)
    await waitFor(() => ended.length === before + jobs.length)
    for (let turn = 0; turn < 5; turn++) await nextTurn()
    const count = claims.mock.calls.length
    await pump.stop()
    claims.mockClear()
    return count
  }
  expect(await claimsAfterEnd('evaluate', 10, [{}])).toBe(1)
  expect(await claimsAfterEnd('evaluate', 1, [{}, {}])).toBe(3)
  expect(await claimsAfterEnd('evaluate-ordered', 10, [{}])).toBe(2)
})

test('a job whose handler fails is retried, and a job whose process stops is released at once', async () => {
  let attempts = 0
  store.jobQueue.pump('evaluate', options, async (job) => {
    if (++attempts === 1) throw new Error('not yet')
    await store.jobs.finish(job)
  })
  await store.jobs.add('evaluate', [{ data: {} }])
  await waitFor(async () => {
    await house.hurry('evaluate')
    return attempts === 2
  })
  await house.settled()

  const stuck = store.jobQueue.pump('policy', options, () => new Promise<void>(() => undefined))
  await store.jobs.add('policy', [{ data: {} }])
  const state = async () =>
    (await house.query<{ state: string }>("select state from pgboss.job where name = 'policy'"))[0]?.state
  await waitFor(async () => (await state()) === 'active')
  await stuck.stop()
  expect(await state()).toBe('retry')
})

test('a job is aborted when another process takes its claim', async () => {
  const { promise: isAborted, resolve } = Promise.withResolvers<void>()
  store.jobQueue.pump('evaluate', options, async (job) => {
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

test('a job that the same process claims again stays claimed when its first handler ends', async () => {
  const handlers: PromiseWithResolvers<void>[] = []
  const pump = store.jobQueue.pump('evaluate', options, () => {
    const handler = Promise.withResolvers<void>()
    handlers.push(handler)
    return handler.promise
  })
  await store.jobs.add('evaluate', [{ data: {} }])
  await waitFor(() => handlers.length === 1)
  await house.query("update pgboss.job set state = 'retry' where name = 'evaluate'")
  await waitFor(() => {
    pump.wake()
    return handlers.length === 2
  })
  handlers[0]?.resolve()
  await pump.stop()
  const [job] = await house.query<{ state: string }>("select state from pgboss.job where name = 'evaluate'")
  expect(job?.state).toBe('retry')
})

test('a job that starts later is started at its time, without waiting for the next poll', async () => {
  let isDone = false
  store.jobQueue.pump('evaluate', { ...options, findPollMs: async () => 3_600_000 }, async (job) => {
    await store.jobs.finish(job)
    isDone = true
  })
  await store.jobs.add('evaluate', [{ data: {}, startAfter: new Date(Date.now() + 200) }])
  await waitFor(() => isDone)
})

test('the next start of a queue is that of its first job, also if another process added it', async () => {
  const pool = openPool(house.url, 1)
  await using db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const nextStart = () => findNextStartMs(db, 'policy')
  expect(await nextStart()).toBeUndefined()
  const other = (await house.openDeps()).store
  const inAnHour = (hours: number) => new Date(Date.now() + hours * 3_600_000)
  await other.jobs.add('policy', [{ data: {}, startAfter: inAnHour(2) }])
  await other.jobs.add('policy', [{ data: {}, startAfter: inAnHour(1) }])
  expect(Math.round(((await nextStart()) ?? 0) / 3_600_000)).toBe(1)
})

test('a job whose process died is claimed again', async () => {
  await store.jobs.add('policy', [{ data: {} }])
  await house.claim(store, 'policy')
  await house.query("update pgboss.job set heartbeat_on = now() - interval '1 minute' where name = 'policy'")
  let attempts = 0
  store.jobQueue.pump('policy', options, async (job) => {
    attempts++
    await store.jobs.finish(job)
  })
  await waitFor(async () => {
    await house.hurry('policy')
    return attempts === 1
  })
})

test('a due job whose notice was missed is claimed without waiting for the next poll', async () => {
  let attempts = 0
  store.jobQueue.pump('evaluate', { ...options, findPollMs: async () => 3_600_000 }, async (job) => {
    await store.jobs.finish(job)
    attempts++
  })
  await store.jobs.add('evaluate', [{ data: {} }])
  await waitFor(() => attempts === 1)
  await house.query(`insert into pgboss.job (name, data, start_after, policy, retry_limit, heartbeat_seconds)
    select name, '{}', now() - interval '2 seconds', policy, retry_limit, heartbeat_seconds from pgboss.queue where name = 'evaluate'`)
  await waitFor(() => attempts === 2)
})

test('a transaction that fails adds no job and wakes no pump', async () => {
  const started: string[] = []
  await store.notifications.close()
  const pump = { ...options, findPollMs: async () => 3_600_000 }
  store.jobQueue.pump<{ n: string }>('evaluate', pump, async (job) => {
    started.push(job.data.n)
    await store.jobs.finish(job)
  })
  const failing = store.tx(async (store) => {
    await store.jobs.add('evaluate', [{ data: { n: 'undone' } }])
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await store.jobs.add('evaluate', [{ data: { n: 'done' } }])
  await waitFor(() => started.length > 0)
  expect(started).toEqual(['done'])
})

test('a new job is added on a connection whose commits wait for the disk, also outside a transaction', async () => {
  await store.jobs.add('evaluate', [{ data: {} }])
  const adding = await house.query(
    "select from pg_stat_activity where application_name = 'pgboss' and query ilike '%insert into pgboss.j%'",
  )
  expect(adding).toEqual([])
})
