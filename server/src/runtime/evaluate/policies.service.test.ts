import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type EvaluationHouse, evaluationHouse, waitFor } from '../../../../tests/harness/evaluation.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { PolicyJob } from '../jobs/job.ts'
import { evaluateChunk } from './index.ts'
import { firePolicyTimer } from './policy-timer.ts'

let house: EvaluationHouse
let deps: RuntimeDeps
let trigger: string
let made = 0
beforeAll(async () => {
  house = await evaluationHouse()
  deps = await house.openDeps()
})
afterAll(() => house.close())
beforeEach(async () => {
  await house.query('truncate alerts, deliveries, policy_states, source_blocks, subscriptions cascade')
  await house.query('delete from pgboss.job')
  trigger = await house.trigger(`t${++made}`)
})

type Item = { n: number; key?: string; at: number; block?: string }
const base = Date.parse('2030-01-01T00:00:00.000Z')
const over = { conditions: { param: 'n', op: 'gt' as const, value: 0 } }

/** Evaluates each item in its own chunk, in this order. */
async function happen(items: readonly Item[]): Promise<void> {
  await deps.listeners.refresh()
  for (const { at, block, ...item } of items) {
    const mark =
      block === undefined ? {} : { source: 's', block: { number: at, hash: block, timestampMs: base, incarnation: 0 } }
    await house.happen(deps.store, trigger, { items: [item], nowMs: base + at * 1000, ...mark })
    await evaluateChunk(deps, await house.claim(deps.store))
  }
}

/** Policy jobs that are due by the clock of the test, as the loop takes them. */
async function firePolicyTimers(): Promise<number> {
  await house.query("update pgboss.job set start_after = now() where name = 'policy' and start_after <= $1", [
    house.clock.now(),
  ])
  for (let kept = 0; ; kept++) {
    const [job] = await deps.store.jobQueue.pgBoss().fetch<PolicyJob>('policy', { batchSize: 1 })
    if (!job) return kept
    await firePolicyTimer(deps, { ...job, queue: 'policy', signal: new AbortController().signal })
  }
}

const told = async () => (await house.alerts()).filter(({ kind }) => kind === 'match').map(({ trace }) => trace.item)

test('throttle: at most one alert in a period for each key, in every process and every order', async () => {
  await house.subscribe(trigger, { policy: { type: 'throttle', per: '10s', key: 'key' } })
  const item = fc.record({
    n: fc.constant(1),
    key: fc.constantFrom('x', 'Y', 'y'),
    at: fc.integer({ min: 0, max: 60 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 14 }), async (items) => {
      await house.query('truncate alerts cascade')
      await happen(items)
      const passed: Item[] = []
      for (const one of items)
        if (
          passed.every(
            (other) => other.key?.toLowerCase() !== one.key.toLowerCase() || Math.abs(other.at - one.at) >= 10,
          )
        )
          passed.push(one)
      const alerts = await house.alerts()
      const found = alerts.map(({ trace, item_at }) => [trace.item.key, (item_at.getTime() - base) / 1000])
      expect(found.sort()).toEqual(passed.map(({ key, at }) => [key, at]).sort())
    }),
    { numRuns: 8 },
  )
})

test('throttle: a retracted alert no longer counts', async () => {
  await house.subscribe(trigger, { policy: { type: 'throttle', per: '1h' } })
  await happen([
    { n: 1, at: 0 },
    { n: 2, at: 1 },
  ])
  expect(await told()).toEqual([{ n: 1 }])
  await house.query("update alerts set status = 'retracted'")
  await happen([{ n: 3, at: 2 }])
  expect(await told()).toEqual([{ n: 1 }, { n: 3 }])
})

test('once, and once for each key: a retracted alert does not count', async () => {
  const once = await house.subscribe(trigger, { delivery: { mode: 'once' } })
  const keyed = await house.subscribe(trigger, { delivery: { mode: 'once_per_key', keyPath: 'key' } })
  const of = async (id: string) =>
    (await house.alerts()).filter((alert) => alert.subscription_id === id).map(({ trace }) => trace.item.n)
  await happen([
    { n: 1, key: 'a', at: 0 },
    { n: 2, key: 'b', at: 1 },
    { n: 3, key: 'A', at: 2 },
  ])
  expect(await of(once)).toEqual([1])
  expect(await of(keyed)).toEqual([1, 2])
  await house.query("update alerts set status = 'retracted' where item_at = $1", [new Date(base)])
  await happen([
    { n: 4, key: 'a', at: 3 },
    { n: 5, key: 'b', at: 4 },
  ])
  expect(await of(once)).toEqual([1, 4])
  expect(await of(keyed)).toEqual([1, 2, 4])
})

test('two concurrent evaluations never both deliver an alert of mode once', async () => {
  await house.subscribe(trigger, { delivery: { mode: 'once' } })
  await deps.listeners.refresh()
  for (let n = 0; n < 6; n++) await house.happen(deps.store, trigger, { items: [{ n }] })
  const claims = await Promise.all(Array.from({ length: 6 }, () => house.claim(deps.store)))
  await Promise.all(claims.map((claimed) => evaluateChunk(deps, claimed)))
  expect(await house.alerts()).toHaveLength(1)
})

test('monitor: fires when the state lasted, not when an item ended it, and then cools down', async () => {
  await house.subscribe(trigger, { ...over, policy: { type: 'monitor', for: '10s', cooldown: '20s', key: 'key' } })
  await happen([
    { n: 1, key: 'a', at: 0 },
    { n: 1, key: 'b', at: 1 },
    { n: 0, key: 'b', at: 5 },
    { n: 2, key: 'a', at: 10 },
    { n: 3, key: 'b', at: 12 },
    { n: 4, key: 'a', at: 25 },
    { n: 5, key: 'a', at: 31 },
    { n: 6, key: 'a', at: 41 },
    { n: 7, key: 'b', at: 50 },
  ])
  expect(await told()).toEqual([
    { n: 1, key: 'a' },
    { n: 3, key: 'b' },
    { n: 5, key: 'a' },
  ])
})

test('monitor: its timer fires if no further item comes, once, and not after the warm-up has ended', async () => {
  await house.subscribe(trigger, { ...over, policy: { type: 'monitor', for: '1m' } })
  await happen([{ n: 1, at: 0 }])
  expect(await told()).toEqual([])
  expect(await firePolicyTimers()).toBe(0)
  house.clock.advance(61_000)
  expect(await firePolicyTimers()).toBe(1)
  expect(await told()).toEqual([{ n: 1 }])
  expect(await house.deliveries()).toHaveLength(1)
  await happen([
    { n: 2, at: 100 },
    { n: 0, at: 101 },
  ])
  house.clock.advance(120_000)
  await firePolicyTimers()
  await happen([{ n: 0, at: 500 }])
  expect(await told()).toEqual([{ n: 1 }])
})

test('monitor: a warm-up that began in an undone block never fires', async () => {
  await house.subscribe(trigger, { ...over, policy: { type: 'monitor', for: '1m' } })
  await house.query(
    `insert into source_blocks (source, hash, number, parent_hash) values ('s', 'b1', 1, 'b0'), ('s', 'b2', 2, 'b1')`,
  )
  await happen([
    { n: 1, at: 1, block: 'b1' },
    { n: 0, at: 2, block: 'b2' },
  ])
  await house.query("update source_blocks set undone_at = now() where hash = 'b2'")
  house.clock.advance(100_000)
  await firePolicyTimers()
  // The item that ended the warm-up is undone, so the warm-up lasted. Its timer has passed, so the next item fires it.
  await happen([{ n: 0, at: 90 }])
  expect(await told()).toEqual([{ n: 1 }])
  await happen([
    { n: 5, at: 200 },
    { n: 0, at: 201 },
  ])
  await house.query("update source_blocks set undone_at = now() where hash = 'b1'")
  await happen([{ n: 0, at: 300 }])
  expect(await told()).toEqual([{ n: 1 }])
})

test('digest: one message for all alerts of a period; `max` limits the list, and the title has the number of all', async () => {
  await house.subscribe(trigger, {
    ...over,
    overrides: { title: 'No {{raw.n}}' },
    policy: { type: 'digest', every: '1h', max: 3 },
  })
  await happen([
    { n: 1, at: 0 },
    { n: 0, at: 0 },
    { n: 2, at: 1 },
  ])
  expect((await house.alerts()).map(({ status }) => status)).toEqual(['collected', 'collected'])
  expect(await house.deliveries()).toEqual([])
  expect(await firePolicyTimers()).toBe(0)
  await happen([
    { n: 3, at: 2 },
    { n: 4, at: 3 },
  ])
  expect(await firePolicyTimers()).toBe(0)
  house.clock.advance(3_600_001)
  await firePolicyTimers()
  const digests = async () => (await house.alerts()).filter(({ kind }) => kind === 'digest')
  const [full] = await digests()
  expect(full).toMatchObject({
    status: 'pending',
    message: { title: `Trigger t${made}: 4 alerts`, short: 'No 1\nNo 2\nNo 3\nand 1 more' },
  })
  const statuses = (await house.alerts())
    .filter(({ kind }) => kind === 'match')
    .map(({ id, status }) => ({ id, status }))
  expect(statuses.map(({ status }) => status)).toEqual(Array(4).fill('digested'))
  expect(full?.trace.digest).toEqual(statuses.map(({ id }) => id))
  expect(full?.trace.policy).toEqual({
    ...{ type: 'digest', bound: 3, count: 4, within: '1h', since: new Date(base).toISOString() },
  })
  expect(await digests()).toHaveLength(1)
  expect(await house.deliveries()).toHaveLength(1)
  expect(await house.query('select * from policy_states')).toEqual([])
})

test('digest: with `at` one message comes at each such local time, also across a change of daylight saving time', async () => {
  const policy = { type: 'digest' as const, at: '0 9 * * *', timezone: 'Europe/Berlin' }
  await house.subscribe(trigger, { ...over, policy })
  const dueAt = async () =>
    (await house.query('select due_at from policy_states')).map(({ due_at }) => due_at.toISOString())
  const goTo = (time: string) => house.clock.advance(Date.parse(time) - house.clock.now().getTime())
  goTo('2030-03-30T07:59:00Z')
  await happen([{ n: 1, at: 0 }])
  expect(await dueAt()).toEqual(['2030-03-30T08:00:00.000Z'])
  goTo('2030-03-30T08:00:00Z')
  await firePolicyTimers()
  expect(await dueAt()).toEqual([])
  // The clocks are put forward in the night before this morning.
  await happen([{ n: 2, at: 1 }])
  await happen([{ n: 3, at: 2 }])
  expect(await dueAt()).toEqual(['2030-03-31T07:00:00.000Z'])
  goTo('2030-03-31T07:00:00Z')
  await firePolicyTimers()
  const digests = (await house.alerts()).filter(({ kind }) => kind === 'digest')
  expect(digests.map(({ message }) => message.title.replace(/.*: /, ''))).toEqual(['1 alert', '2 alerts'])
  goTo('2030-04-05T12:00:00Z')
  expect(await firePolicyTimers()).toBe(0)
})

test('throttle: the next alert says how many outputs were left out, also in its message', async () => {
  const title = '{{raw.n}}, {{policy.suppressed}} left out'
  await house.subscribe(trigger, { ...over, overrides: { title }, policy: { type: 'throttle', per: '10s' } })
  for (const [n, at] of [1, 2, 3, 4].entries()) await happen([{ n: n + 1, at }])
  await happen([{ n: 5, at: 20 }])
  const alerts = await house.alerts()
  expect(alerts.map(({ message }) => message.title)).toEqual(['1, 0 left out', '5, 3 left out'])
  expect(alerts.map(({ trace }) => trace.policy?.suppressed)).toEqual([0, 3])
})

test('throttle: a reorg that takes an alert back gives back what it counted, and undone outputs are not counted', async () => {
  await house.subscribe(trigger, { policy: { type: 'throttle', per: '10s' } })
  const marks = ['b1', 'b2', 'b3', 'c2', 'c3'].map((hash) => ({ hash, number: Number(hash[1]), parentHash: 'p' }))
  await deps.store.sourceBlocks.add('s', marks)
  const blocks = async (...items: [n: number, at: number, block: string][]) =>
    happen(items.map(([n, at, block]) => ({ n, at, block })))
  const undo = async (...hashes: string[]) => {
    const undone = await deps.store.sourceBlocks.undo('s', hashes, house.clock.now())
    for (const block of undone) await deps.store.retractions.retract('s', block, 'reorg', house.clock.now())
  }
  const counted = async () =>
    (await house.alerts())
      .filter(({ status }) => status !== 'retracted')
      .map(({ trace }) => [trace.item.n, trace.policy?.suppressed])
  await blocks([1, 0, 'b1'], [2, 1, 'b1'], [3, 2, 'b2'], [4, 3, 'b2'], [5, 10, 'b3'], [6, 11, 'b3'])
  expect(await counted()).toEqual([
    [1, 0],
    [5, 3],
  ])
  await undo('b3')
  await blocks([7, 12, 'c3'])
  expect(await counted()).toEqual([
    [1, 0],
    [7, 3],
  ])
  await undo('b2', 'c3')
  await blocks([8, 5, 'c2'], [9, 13, 'c2'], [10, 23, 'c2'])
  expect(await counted()).toEqual([
    [1, 0],
    [9, 2],
    [10, 0],
  ])
})

test('digest: a retracted alert leaves it, and a paused subscription keeps its collected alerts', async () => {
  const id = await house.subscribe(trigger, { policy: { type: 'digest', every: '1h' } })
  await happen([
    { n: 1, at: 0 },
    { n: 2, at: 1 },
  ])
  await house.query("update alerts set status = 'retracted' where item_at = $1", [new Date(base)])
  await house.query('update subscriptions set paused = true where id = $1', [id])
  house.clock.advance(3_600_001)
  await firePolicyTimers()
  expect((await house.alerts()).map(({ status }) => status)).toEqual(['retracted', 'collected'])
  await house.query('update subscriptions set paused = false where id = $1', [id])
  house.clock.advance(61_000)
  await firePolicyTimers()
  const [digest] = (await house.alerts()).filter(({ kind }) => kind === 'digest')
  expect(digest?.trace.digest).toHaveLength(1)
})

test('digest: it holds only alerts whose blocks are final enough, and the others are in the next one', async () => {
  await house.subscribe(trigger, {
    policy: { type: 'digest', every: '1h' },
    delivery: { finality: { confirmations: 2 } },
  })
  await happen([
    { n: 1, at: 1, block: 'h1' },
    { n: 2, at: 2, block: 'h2' },
  ])
  const statuses = async () => (await house.alerts()).filter(({ kind }) => kind === 'match').map(({ status }) => status)
  expect(await statuses()).toEqual(['waiting', 'waiting'])
  const release = (number: number) =>
    deps.store.waitingAlerts.release('s', [{ finality: '2', number }], 10, house.clock.now())
  expect(await release(1)).toEqual({ count: 1, resourceIds: [] })
  house.clock.advance(3_600_001)
  await firePolicyTimers()
  expect(await statuses()).toEqual(['digested', 'waiting'])
  await release(2)
  expect(await firePolicyTimers()).toBe(0)
  house.clock.advance(3_600_001)
  await firePolicyTimers()
  expect(await statuses()).toEqual(['digested', 'digested'])
  expect(await house.query('select * from policy_states')).toEqual([])
})

test('a timer that fires twice sends its message once', async () => {
  await house.subscribe(trigger, { policy: { type: 'digest', every: '1s' } })
  await happen([{ n: 1, at: 0 }])
  const [row] = await house.query<{ data: PolicyJob }>("select data from pgboss.job where name = 'policy'")
  house.clock.advance(2_000)
  await firePolicyTimers()
  await deps.store.jobs.add('policy', [{ data: row?.data ?? {} }])
  await firePolicyTimers()
  expect((await house.alerts()).filter(({ kind }) => kind === 'digest')).toHaveLength(1)
  const { stop } = await house.start()
  await house.settled()
  await stop()
  await waitFor(async () => (await house.deliveries()).length === 1)
})
