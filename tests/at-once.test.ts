import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RuntimeDeps } from '../server/src/runtime/deps.ts'
import { commitBlocks } from '../server/src/runtime/follow/commit-blocks.ts'
import { makeAtOnce } from '../server/src/runtime/jobs/at-once.ts'
import { alertId, jobsOf, makeFairness, makeRecentAlertsCache } from '../server/src/runtime/jobs/index.ts'
import type { RegisteredTrigger } from '../server/src/runtime/listeners/live-trigger.ts'
import type { FollowerLease } from '../server/src/store/following/followers.ts'
import { LeaseLost } from '../server/src/store/following/lease.ts'
import { type EvaluationHouse, evaluationHouse, type Subscribing } from './harness/evaluation.ts'

/** Matches that wait for nothing become alerts in the commit of their blocks, without jobs. */
let house: EvaluationHouse
let lease: FollowerLease
beforeEach(async () => {
  house = await evaluationHouse()
})
afterEach(() => house.close())

type Steps = { crashPoint?: RuntimeDeps['crashPoint'] }

/** The loop of evaluation, and a follower of the source `acme.s` in the same process. */
async function start({ crashPoint = () => undefined }: Steps = {}) {
  const warnings: string[] = []
  const log = { info() {}, warn: (_: unknown, message: string) => void warnings.push(message), error() {} }
  const recentAlerts = makeRecentAlertsCache()
  const { deps } = await house.start({}, { atOnce: makeAtOnce(), recentAlerts, crashPoint, log })
  const row = await deps.store.followers.take('acme.s', 'me', new Date())
  lease = { source: 'acme.s', epoch: row?.epoch ?? '' }
  return { deps, warnings }
}

const timestampMs = 1_800_000_000_000
const block = { number: 7, hash: 'h7', parentHash: 'h6', timestampMs, contents: undefined }

/** Commits block 7 with this many matches of the trigger for all of its listeners. */
async function commit(deps: RuntimeDeps, triggerId: string, { count = 1, of = lease } = {}) {
  // All live triggers are those of the registry.
  const trigger = deps.listeners.trigger(triggerId) as RegisteredTrigger | undefined
  if (!trigger) throw new Error('the trigger has no listener')
  const listeners = [...trigger.listeners.keys()]
  const matches = Array.from({ length: count }, (_, index) => ({ key: `h7:${index}`, item: { n: index }, listeners }))
  const checkpoint = { head: 7, headAt: null, finalized: null }
  const blocks = [{ block, matches: [{ trigger, matches }] }]
  const fairness = makeFairness(() => 0)
  const committed = await commitBlocks(
    deps,
    { lease: of, blocks, checkpoint, fairness, at: house.clock.now() },
    async () => {},
  )
  await committed.atOnce?.noteCommitted()
  return committed
}

/** What is stored: blocks, jobs of evaluation that were ever added, alerts and deliveries. */
async function stored() {
  const [row] = await house.query<Record<'blocks' | 'jobs' | 'alerts' | 'deliveries', number>>(
    `select (select count(*)::int from source_blocks where undone_at is null) as blocks,
      (select count(*)::int from pgboss.job where name in ('evaluate', 'evaluate-ordered')) as jobs,
      (select count(*)::int from alerts) as alerts`,
  )
  return { ...row, deliveries: (await house.deliveries()).length }
}

test('the commit of a block has its alerts and deliveries, and adds no job', async () => {
  const trigger = await house.trigger('t', { defaults: { title: 'n is {{raw.n}}' } })
  await house.subscribe(trigger)
  const { deps, warnings } = await start()
  await commit(deps, trigger, { count: 3 })
  expect(await stored()).toEqual({ blocks: 1, jobs: 0, alerts: 3, deliveries: 3 })
  const alerts = await house.alerts()
  const [first] = alerts
  expect(alerts.map(({ message }) => message.title).sort()).toEqual(['n is 0', 'n is 1', 'n is 2'])
  expect(first).toMatchObject({ status: 'pending', source: 'acme.s', block_hash: 'h7', incarnation: 0 })
  expect(deps.recentAlerts?.find(first?.id ?? '')).toBeDefined()
  expect(warnings).toEqual([])
  // The runs are counted, as those of a job are.
  await deps.store.hourlyCounts.rollUp()
  expect(await house.query('select trigger_id, runs::int, fired::int from hourly_runs')).toEqual([
    { trigger_id: trigger, runs: 3, fired: 3 },
  ])
})

test('a commit that fails leaves neither the block nor its alerts, and nothing in the cache of alerts', async () => {
  const trigger = await house.trigger('t')
  const subscriptionId = await house.subscribe(trigger)
  const { deps } = await start({
    crashPoint: (name) => {
      if (name === 'ingest.beforeCommit') throw new Error('the process died')
    },
  })
  await expect(commit(deps, trigger)).rejects.toThrow('the process died')
  expect(await stored()).toEqual({ blocks: 0, jobs: 0, alerts: 0, deliveries: 0 })
  const cause = {
    subscriptionId,
    ruleId: '',
    triggerId: trigger,
    itemKey: 'h7:0',
    outputIndex: 0,
    itemAtMs: timestampMs,
  }
  expect(deps.recentAlerts?.find(alertId(cause))).toBeUndefined()
})

test('if the alerts cannot be stored, the matches become jobs, and nothing is lost or doubled', async () => {
  const trigger = await house.trigger('t')
  await house.subscribe(trigger)
  let commits = 0
  const { deps, warnings } = await start({
    crashPoint: (name) => {
      if (name === 'ingest.beforeCommit' && ++commits === 1) throw new Error('PostgreSQL refused it')
    },
  })
  const { atOnce } = await commit(deps, trigger)
  expect(atOnce).toBeUndefined()
  expect(warnings).toEqual(['alerts were not stored with their blocks; their matches become jobs'])
  await house.settled()
  expect(await stored()).toEqual({ blocks: 1, jobs: 1, alerts: 1, deliveries: 1 })
})

test('a block that comes back after an undo gets new alerts, by jobs', async () => {
  const trigger = await house.trigger('t')
  await house.subscribe(trigger)
  const { deps, warnings } = await start()
  await commit(deps, trigger)
  await deps.store.sourceBlocks.undo('acme.s', ['h7'], new Date())
  await commit(deps, trigger)
  await house.settled()
  expect(await stored()).toEqual({ blocks: 1, jobs: 1, alerts: 2, deliveries: 2 })
  const rows = await house.query<{ incarnation: number }>('select incarnation from alerts order by incarnation')
  expect(rows.map(({ incarnation }) => incarnation)).toEqual([0, 1])
  expect(warnings).toEqual([])
})

test('a follower that lost its lease stores nothing', async () => {
  const trigger = await house.trigger('t')
  await house.subscribe(trigger)
  const { deps, warnings } = await start()
  await expect(commit(deps, trigger, { of: { ...lease, epoch: '0' } })).rejects.toThrow(LeaseLost)
  expect(await stored()).toEqual({ blocks: 0, jobs: 0, alerts: 0, deliveries: 0 })
  expect(warnings).toEqual([])
})

test('a subscription that was paused or deleted after the match gets no alert', async () => {
  const trigger = await house.trigger('t')
  const [paused, deleted] = [await house.subscribe(trigger), await house.subscribe(trigger)]
  const { deps } = await start()
  await house.query('update subscriptions set paused = true where id = $1', [paused])
  await house.query('delete from subscriptions where id = $1', [deleted])
  await commit(deps, trigger)
  expect(await stored()).toEqual({ blocks: 1, jobs: 0, alerts: 0, deliveries: 0 })
})

const plain = {}
const waiting: Record<string, { definition?: Record<string, unknown>; subscribing?: Subscribing }> = {
  'a script': { definition: { transform: { rawSource: '({ n: source.n })' } } },
  'a provider': { definition: { providers: [{ id: 'one', type: 'javascript', source: '1' }] } },
  'a throttle': { subscribing: { policy: { type: 'throttle', per: '1m' } } },
  'one delivery only': { subscribing: { delivery: { mode: 'once' } } },
  'a message with a token': { definition: { defaults: { title: '{{token source.n}}' } } },
}

for (const [name, { definition = plain, subscribing = {} }] of Object.entries(waiting))
  test(`${name} makes a job`, async () => {
    const trigger = await house.trigger('t', definition)
    await house.subscribe(trigger, subscribing)
    const { deps } = await start()
    const { atOnce } = await commit(deps, trigger)
    expect(atOnce).toBeUndefined()
    expect(await stored()).toMatchObject({ blocks: 1, jobs: 1 })
    await house.settled()
    expect(await stored()).toEqual({ blocks: 1, jobs: 1, alerts: 1, deliveries: 1 })
  })

test('matches beyond 4,000 runs make jobs', async () => {
  const trigger = await house.trigger('t')
  await house.subscribe(trigger)
  const { deps } = await start()
  const live = deps.listeners.trigger(trigger)
  if (!live) throw new Error('the trigger has no listener')
  const matches = Array.from({ length: 4_600 }, (_, n) => ({
    key: `h7:${n}`,
    item: { n },
    listeners: [...live.listeners.keys()],
  }))
  const work = { source: null, block: null, nowMs: 0, depth: 0, matches }
  const jobs = jobsOf(live, work, { parts: ['h7'], order: 7 })
  const atOnce = await deps.atOnce?.evaluate(jobs)
  const kept = jobs.filter(({ job }) => !atOnce?.jobIds.has(job.id))
  expect(kept.map(({ job }) => job.data.matches.length)).toEqual([500, 100])
})
