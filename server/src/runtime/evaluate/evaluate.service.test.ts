import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EvaluationHouse, evaluationHouse, waitFor } from '../../../../tests/harness/evaluation.ts'
import type { CountOwner } from '../../store/alerts/count-changes.ts'
import type { Store } from '../../store/index.ts'
import type { EvaluateJob } from '../jobs/job.ts'
import { makeLaneWakes } from '../jobs/lane-wakes.ts'
import { evaluateChunk } from './index.ts'

let house: EvaluationHouse
beforeEach(async () => {
  house = await evaluationHouse()
})
afterEach(() => house.close())

const block = (hash: string, incarnation = 0) => ({ number: 7, hash, timestampMs: 1_800_000_000_000, incarnation })

const countsOf = async (store: Store, kind: CountOwner, id: string) => {
  await store.hourlyCounts.rollUp()
  return store.hourlyCounts.list(kind, id, new Date(0))
}

test('a match becomes an alert for each listener whose conditions it meets, with a delivery to each resource', async () => {
  await house.resource('second')
  const trigger = await house.trigger('moved', {
    transform: { rawSource: '({ amount: source.n * 2, by: inputs.who })', humanSource: '({ text: raw.amount + "!" })' },
    inputs: { who: 'string' },
    defaults: {
      title: '{{human.text}} in {{block.number}}',
      short: '{{raw.by}}',
      severity: '{{raw.by}}',
      links: [{ title: 'x', url: 'javascript:alert(1)' }],
    },
  })
  const ann = await house.subscribe(trigger, { inputs: { who: 'ann' }, resources: ['hook', 'second'] })
  const bob = await house.subscribe(trigger, {
    inputs: { who: 'bob' },
    conditions: { param: 'amount', op: 'gt', value: 3 },
    overrides: { title: 'Bob: {{raw.amount}}', severity: 'critical' },
  })
  const { deps } = await house.start()
  await house.happen(deps.store, trigger, { items: [{ n: 1 }, { n: 2 }], block: block('0xa'), source: 'common.x' })
  await house.settled()
  const alerts = await house.alerts()
  const told = alerts.map(({ subscription_id, message }) => ({ subscription_id, message }))
  expect(told).toHaveLength(3)
  expect(told).toEqual(
    expect.arrayContaining([
      { subscription_id: ann, message: { title: '2! in 7', short: 'ann' } },
      { subscription_id: ann, message: { title: '4! in 7', short: 'ann' } },
      { subscription_id: bob, message: { title: 'Bob: 4', short: 'bob' } },
    ]),
  )
  const of = alerts.find(({ subscription_id }) => subscription_id === bob)
  expect(of).toMatchObject({
    status: 'pending',
    severity: 'critical',
    trigger: 'acme.p.moved',
    source: 'common.x',
    block_hash: '0xa',
    trace: {
      item: { n: 2 },
      inputs: { who: 'bob' },
      providers: {},
      activated: true,
      raw: { amount: 4, by: 'bob' },
      human: { text: '4!' },
    },
  })
  const ofAnn = alerts.find(({ subscription_id }) => subscription_id === ann)
  expect(ofAnn).toMatchObject({
    severity: 'info',
    trace: { issues: [expect.stringMatching(/^severity rendered to "ann"/)] },
  })
  const deliveries = await house.deliveries()
  expect(deliveries.map(({ resource_id }) => resource_id).sort()).toEqual(['hook', 'hook', 'hook', 'second', 'second'])
  const wakes = await house.query<{ data: unknown }>("select data from pgboss.job where name = 'deliver'")
  expect(wakes.map(({ data }) => data)).toEqual([{ resourceIds: ['hook', 'second'] }])
})

test('a run whose conditions do not hold makes no alert, with the inputs of each subscription', async () => {
  const trigger = await house.trigger('large', {
    inputs: { least: 'number' },
    providers: [{ id: 'double', type: 'javascript', source: 'source.n * 2' }],
    conditions: { param: 'providers.double', op: 'gte', value: '{{inputs.least}}' },
  })
  const low = await house.subscribe(trigger, { inputs: { least: 4 } })
  const high = await house.subscribe(trigger, { inputs: { least: 6 } })
  await house.subscribe(trigger)
  const { deps } = await house.start()
  await house.happen(deps.store, trigger, { items: [{ n: 1 }, { n: 2 }, { n: 3 }] })
  await house.settled()
  const told = (await house.alerts()).map(({ subscription_id, trace }) => [subscription_id, trace.item.n])
  expect(told.sort()).toEqual(
    [
      [low, 2],
      [low, 3],
      [high, 3],
    ].sort(),
  )
})

test('a delivery to a resource that is not ready fails at once, with the reason', async () => {
  await house.resource('later', false)
  const trigger = await house.trigger('moved')
  await house.subscribe(trigger, { resources: ['later'] })
  const { deps } = await house.start()
  await house.happen(deps.store, trigger)
  await house.settled()
  expect(await house.alerts()).toMatchObject([{ status: 'failed' }])
  const [delivery] = await house.deliveries()
  expect(delivery).toMatchObject({
    status: 'dead',
    attempts: [{ ok: false, error: 'The resource is not ready: Setup is not finished' }],
  })
  expect(await countsOf(deps.store, 'resource', 'later')).toMatchObject([{ recorded: 0, failed: 1 }])
})

test('a process with delivery lanes wakes them itself; without them, or when they stop, a job wakes those of another', async () => {
  const trigger = await house.trigger('moved')
  await house.subscribe(trigger)
  const laneWakes = makeLaneWakes()
  const { deps } = await house.start({}, { laneWakes })
  const jobs = () => house.query<{ data: unknown }>("select data from pgboss.job where name = 'deliver'")
  const woken: string[][] = []
  const end = laneWakes.listen((resourceIds) => woken.push([...resourceIds]))
  await house.happen(deps.store, trigger)
  await waitFor(() => woken.length > 0)
  expect({ woken, jobs: await jobs() }).toEqual({ woken: [['hook']], jobs: [] })
  end()
  await house.happen(deps.store, trigger)
  await house.settled()
  expect({ woken, jobs: await jobs() }).toEqual({ woken: [['hook']], jobs: [{ data: { resourceIds: ['hook'] } }] })
})

test('a job that is claimed twice, or committed after its claim expired, makes each alert once', async () => {
  const trigger = await house.trigger('moved')
  await house.subscribe(trigger)
  const deps = await house.openDeps()
  await house.happen(deps.store, trigger, { items: [{ n: 1 }, { n: 2 }] })
  const first = await house.claim(deps.store)
  await house.query("update pgboss.job set state = 'retry' where name = 'evaluate'")
  const second = await house.claim(deps.store)
  expect(second).toMatchObject({ id: first.id, retryCount: first.retryCount + 1 })
  await expect(evaluateChunk(deps, first)).rejects.toThrow(/expired/)
  expect(await house.alerts()).toEqual([])
  await evaluateChunk(deps, second)
  await expect(evaluateChunk(deps, second)).rejects.toThrow(/expired/)
  expect(await house.alerts()).toHaveLength(2)
  expect(await house.deliveries()).toHaveLength(2)
  expect(await countsOf(deps.store, 'workspace', 'w')).toMatchObject([{ recorded: 2 }])
  // The same matches in another job: existing alerts stay as they are, missing ones are added.
  const [kept, gone] = await house.alerts()
  await house.query('delete from alerts where id = $1', [gone?.id])
  await deps.store.jobs.add('evaluate', [{ data: first.data }])
  await evaluateChunk(deps, await house.claim(deps.store))
  const found = await house.alerts()
  expect(found.map(({ id }) => id).sort()).toEqual([kept?.id, gone?.id].sort())
  expect(found).toContainEqual(kept)
  expect(await countsOf(deps.store, 'trigger', trigger)).toMatchObject([{ recorded: 3 }])
  expect(await house.deliveries()).toHaveLength(2)
})

test('runs are counted by hour for their trigger once, and the newest are kept with their error and their share of the time', async () => {
  const rawSource = 'source.n === 3 ? source.gone.x : source.n === 2 ? null : ({ n: source.n })'
  const trigger = await house.trigger('moved', { transform: { rawSource } })
  await house.subscribe(trigger)
  const deps = await house.openDeps()
  const runsOf = async () => {
    await deps.store.hourlyCounts.rollUp()
    return deps.store.hourlyRuns.list(trigger, new Date(0))
  }
  await house.happen(deps.store, trigger, { items: [{ n: 1 }, { n: 2 }, { n: 3 }] })
  const claimed = await house.claim(deps.store)
  await evaluateChunk(deps, claimed)
  await expect(evaluateChunk(deps, claimed)).rejects.toThrow(/expired/)
  const [first] = await runsOf()
  expect(first).toMatchObject({ runs: 3, fired: 1, failed: 1, providerCalls: 0 })
  expect(first?.slowestMs).toBeGreaterThan(0)
  expect(first?.durationMs).toBeCloseTo(3 * (first?.slowestMs ?? 0))
  expect(first?.last).toEqual([
    {
      at: deps.clock().toISOString(),
      item: expect.any(String),
      outcome: 'failed',
      durationMs: first?.slowestMs,
      providerCalls: 0,
      error: expect.stringMatching(/^transform\.rawSource: /),
    },
  ])
  for (let round = 0; round < 11; round++) {
    await deps.store.jobs.add('evaluate', [{ data: { ...claimed.data, matches: claimed.data.matches.slice(1, 2) } }])
    await evaluateChunk(deps, await house.claim(deps.store))
  }
  const [after, ...others] = await runsOf()
  expect(others).toEqual([])
  expect(after).toMatchObject({ runs: 14, fired: 1, failed: 1 })
  expect(after?.last).toHaveLength(10)
  expect(after?.last.at(-1)).toMatchObject({ outcome: 'silent' })
})

test('an error with characters that PostgreSQL cannot store is logged and counted, and stops nothing', async () => {
  const error = `'\\0' + '😀'.repeat(200)`
  const trigger = await house.trigger('moved', { transform: { rawSource: `(() => { throw new Error(${error}) })()` } })
  await house.subscribe(trigger)
  const deps = await house.openDeps()
  await house.happen(deps.store, trigger)
  await evaluateChunk(deps, await house.claim(deps.store))
  expect(await deps.store.hourlyCounts.rollUp()).toMatchObject({ count: 1 })
  const [hour] = await deps.store.hourlyRuns.list(trigger, new Date(0))
  expect(hour?.last).toMatchObject([{ outcome: 'failed', error: expect.stringContaining('😀') }])
  expect(await house.query('select status, message from trigger_logs')).toMatchObject([
    { status: 'failed', message: expect.stringContaining('😀') },
  ])
})

test('a process that dies before its commit leaves nothing; the next one does it all', async () => {
  const trigger = await house.trigger('moved')
  await house.subscribe(trigger)
  const deps = await house.openDeps()
  await house.happen(deps.store, trigger)
  const claimed = await house.claim(deps.store)
  const dying = { ...deps, crashPoint: (name: string) => Promise.reject(new Error(name)) }
  await expect(evaluateChunk(dying, claimed)).rejects.toThrow('evaluate.beforeCommit')
  expect(await house.alerts()).toEqual([])
  await house.query("update pgboss.job set state = 'retry' where name = 'evaluate'")
  await evaluateChunk(deps, await house.claim(deps.store))
  expect(await house.alerts()).toHaveLength(1)
})

test('matches of an undone block make no alerts; if the block is applied again, they do', async () => {
  const trigger = await house.trigger('moved')
  await house.subscribe(trigger)
  const deps = await house.openDeps()
  await house.query(
    `insert into source_blocks (source, hash, number, parent_hash, incarnation, undone_at) values ('s', '0xa', 7, '0x9', 0, now())`,
  )
  await house.happen(deps.store, trigger, { source: 's', block: block('0xa') })
  await evaluateChunk(deps, await house.claim(deps.store))
  expect(await house.alerts()).toEqual([])
  await house.query(`update source_blocks set undone_at = null, incarnation = 1`)
  await house.happen(deps.store, trigger, { source: 's', block: block('0xa') })
  await evaluateChunk(deps, await house.claim(deps.store))
  expect(await house.alerts()).toEqual([])
  await house.happen(deps.store, trigger, { source: 's', block: block('0xa', 1) })
  await evaluateChunk(deps, await house.claim(deps.store))
  expect(await house.alerts()).toMatchObject([{ incarnation: 1 }])
})

test('a subscription that was deleted or paused meanwhile gets no alert, and an edited trigger runs in its new version', async () => {
  const trigger = await house.trigger('moved', { transform: { rawSource: '({ v: 1 })' } })
  const gone = await house.subscribe(trigger)
  const paused = await house.subscribe(trigger)
  const stays = await house.subscribe(trigger)
  const deps = await house.openDeps()
  await house.happen(deps.store, trigger)
  const claimed = await house.claim(deps.store)
  await house.query('delete from subscriptions where id = $1', [gone])
  await house.query('update subscriptions set paused = true where id = $1', [paused])
  await house.trigger('moved', { transform: { rawSource: '({ v: 2 })' } })
  await deps.listeners.refresh()
  await evaluateChunk(deps, claimed)
  expect(await house.alerts()).toMatchObject([{ subscription_id: stays, trace: { raw: { v: 2 } } }])
})

test('two processes that share the queue make each alert once', async () => {
  const trigger = await house.trigger('moved', { transform: { rawSource: '({ n: source.n })' } })
  await house.subscribe(trigger)
  const [one, two] = [await house.start(), await house.start()]
  for (let chunk = 0; chunk < 30; chunk++)
    await house.happen(one.deps.store, trigger, {
      items: Array.from({ length: 20 }, (_, n) => ({ n: chunk * 20 + n })),
    })
  await house.settled()
  const told = (await house.alerts()).map(({ trace }) => trace.raw?.n as number).sort((a, b) => a - b)
  expect(told).toEqual(Array.from({ length: 600 }, (_, n) => n))
  expect(await house.deliveries()).toHaveLength(600)
  await Promise.all([one.stop(), two.stop()])
})

test('a slow trigger does not delay the others, however many of its chunks wait', async () => {
  const { promise: never, resolve } = Promise.withResolvers<void>()
  const { createServer } = await import('node:http')
  const server = createServer((_request, response) => void never.then(() => response.end('1')))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  const slow = await house.trigger('slow', { providers: [{ id: 'h', type: 'http', url: `http://127.0.0.1:${port}/` }] })
  const quick = await house.trigger('quick')
  await house.subscribe(slow)
  const heard = await house.subscribe(quick)
  const { deps, stop } = await house.start({ slots: 8, perTrigger: 4 })
  await deps.store.tx(async (store) => {
    for (let chunk = 0; chunk < 40; chunk++) await house.happen(store, slow)
    for (let chunk = 0; chunk < 10; chunk++) await house.happen(store, quick)
  })
  await waitFor(async () => (await house.alerts()).length === 10)
  expect(new Set((await house.alerts()).map((alert) => alert.subscription_id))).toEqual(new Set([heard]))
  resolve()
  await waitFor(async () => (await house.alerts()).length === 50)
  await stop()
  server.close()
})

test('a skipped provider gives null, and runs in later chunks share a cached result', async () => {
  const trigger = await house.trigger('cached', {
    providers: [
      { id: 'first', type: 'javascript', source: 'source.n', cache: { ttlMs: 3_600_000, key: 'all' } },
      { id: 'big', type: 'javascript', source: 'source.n', runIf: 'source.n > providers.first' },
    ],
  })
  await house.subscribe(trigger)
  const { deps, stop } = await house.start()
  await house.happen(deps.store, trigger, { items: [{ n: 1 }] })
  await house.settled()
  await house.happen(deps.store, trigger, { items: [{ n: 2 }] })
  await house.settled()
  const alerts = (await house.alerts()).sort((a, b) => Number(a.trace.item.n) - Number(b.trace.item.n))
  expect(alerts).toMatchObject([
    { trace: { providers: { first: 1, big: null } } },
    { trace: { providers: { first: 1, big: 2 } } },
  ])
  await stop()
})

test('outputs of a trigger are items of the triggers that listen to it, through at most eight triggers', async () => {
  const first = await house.trigger('first', { transform: { rawSource: '({ n: source.n, name: "a\\u0000b" })' } })
  await house.subscribe(first)
  const second = await house.trigger('second', {
    triggerSpec: null,
    backend: { type: 'sdk', trigger: 'acme.p.first', values: { n: '2' } },
    transform: { rawSource: '({ twice: source.n * 2, name: source.name })' },
  })
  const heard = await house.subscribe(second)
  const ring = await house.trigger('ring', { triggerSpec: null, backend: { type: 'sdk', trigger: 'acme.p.ring' } })
  const round = await house.subscribe(ring)
  const { deps, stop } = await house.start()
  await house.happen(deps.store, first, { items: [{ n: 1 }, { n: 2 }] })
  await house.happen(deps.store, ring)
  await house.settled()
  const alerts = await house.alerts()
  expect(alerts.filter((alert) => alert.subscription_id === heard)).toMatchObject([
    { trace: { item: { n: 2, name: 'ab' }, raw: { twice: 4, name: 'ab' } } },
  ])
  expect(alerts.filter((alert) => alert.subscription_id === round)).toHaveLength(9)
  const logs = await house.query("select reason_code from trigger_logs where trigger_id = 't-ring'")
  expect(logs).toEqual([{ reason_code: 'trigger.too_deep' }])
  await stop()
})

test('state windows are stored with the commit, and a repeat finds them as they were', async () => {
  const window = {
    id: 'w',
    type: 'state_window',
    dedupeBy: '{{source.n}}',
    value: '{{source.n}}',
    keepLast: 3,
    aggregate: ['sum'],
  }
  const trigger = await house.trigger('sums', {
    providers: [window],
    transform: { rawSource: '({ sum: providers.w.sum, duplicate: providers.w.duplicate })' },
  })
  await house.subscribe(trigger)
  const deps = await house.openDeps()
  await house.happen(
    deps.store,
    trigger,
    { items: [{ n: 1 }, { n: 2 }], source: 's', block: block('0xa') },
    'evaluate-ordered',
  )
  const lost = await house.claim(deps.store, 'evaluate-ordered')
  await expect(evaluateChunk({ ...deps, crashPoint: () => Promise.reject(new Error('dead')) }, lost)).rejects.toThrow(
    'dead',
  )
  await house.query("update pgboss.job set state = 'retry' where name = 'evaluate-ordered'")
  await evaluateChunk(deps, await house.claim(deps.store, 'evaluate-ordered'))
  await house.happen(
    deps.store,
    trigger,
    { items: [{ n: 3 }], source: 's', block: { ...block('0xb'), number: 8 } },
    'evaluate-ordered',
  )
  await evaluateChunk(deps, await house.claim(deps.store, 'evaluate-ordered'))
  const sums = (await house.alerts()).map(({ trace }) => trace.raw)
  expect(sums).toEqual([1, 3, 6].map((sum) => ({ sum, duplicate: false })))
  const kept = await house.query('select trigger_id, provider, source, block_number, state from state_windows')
  expect(kept).toMatchObject([{ trigger_id: trigger, provider: 'w', source: 's', block_number: '8' }])
})

test('a trigger with a state window gets outputs in order, those of one chunk together', async () => {
  const first = await house.trigger('first')
  await house.subscribe(first)
  const window = { id: 'w', type: 'state_window', dedupeBy: '{{source.n}}', value: '{{source.n}}', keepLast: 9 }
  const second = await house.trigger('second', {
    triggerSpec: null,
    backend: { type: 'sdk', trigger: 'acme.p.first' },
    providers: [window],
    transform: { rawSource: '({ values: providers.w.values })' },
  })
  const heard = await house.subscribe(second)
  const { deps, stop } = await house.start()
  await house.happen(deps.store, first, { items: [{ n: 1 }, { n: 2 }, { n: 3 }] })
  await house.settled()
  await stop()
  const values = (await house.alerts())
    .filter((alert) => alert.subscription_id === heard)
    .map(({ trace }) => trace.raw?.values)
  expect(values).toEqual([[1], [1, 2], [1, 2, 3]])
})

test('a trigger that got a state window by an edit evaluates earlier matches in order too', async () => {
  const trigger = await house.trigger('sums')
  await house.subscribe(trigger)
  const deps = await house.openDeps()
  await house.happen(deps.store, trigger, { items: [{ n: 1 }] })
  const window = { id: 'w', type: 'state_window', dedupeBy: '{{source.n}}', value: '{{source.n}}', keepLast: 3 }
  await house.trigger('sums', { providers: [window] })
  await deps.listeners.refresh()
  await evaluateChunk(deps, await house.claim(deps.store))
  expect(await house.alerts()).toEqual([])
  await evaluateChunk(deps, await house.claim(deps.store, 'evaluate-ordered'))
  expect(await house.alerts()).toMatchObject([{ trace: { providers: { w: { count: 1 } } } }])
})

test('messages show addresses by the aliases of the subscriber', async () => {
  const trigger = await house.trigger('moved', { defaults: { title: 'To {{address raw.to}}' } })
  await house.subscribe(trigger)
  await house.query(
    `insert into addresses (id, account_id, type, address, normal, alias, created_at, updated_at)
     values ('x', 'a', 'evm', '0xAbCdef0000000000000000000000000000000001', '0xabcdef0000000000000000000000000000000001', 'Treasury', now(), now())`,
  )
  const deps = await house.openDeps()
  const items = ['0xABCDEF0000000000000000000000000000000001', '0x1234567890123456789012345678901234567890'].map(
    (to) => ({ to }),
  )
  await house.happen(deps.store, trigger, { items })
  await evaluateChunk(deps, await house.claim(deps.store))
  expect((await house.alerts()).map(({ message }) => message.title)).toEqual(['To Treasury', 'To 0x1234…7890'])
})

test('subscribers with different inputs share a run if the trigger does not use inputs', async () => {
  const trigger = await house.trigger('moved', {
    transform: { rawSource: '(c) => ({ seen: Object.keys(c.source), all: JSON.stringify(c) })' },
  })
  await house.subscribe(trigger, { inputs: { wallet: 'secret-of-ann' } })
  await house.subscribe(trigger, { inputs: { wallet: 'secret-of-bob' } })
  const deps = await house.openDeps()
  await house.happen(deps.store, trigger)
  await evaluateChunk(deps, await house.claim(deps.store))
  const alerts = await house.alerts()
  expect(alerts.map(({ trace }) => trace.inputs.wallet).sort()).toEqual(['secret-of-ann', 'secret-of-bob'])
  expect(JSON.stringify(alerts.map(({ trace }) => trace.raw))).not.toContain('secret')
})

test('a chunk of a trigger without listeners is finished without alerts', async () => {
  const trigger = await house.trigger('moved')
  await house.subscribe(trigger)
  const deps = await house.openDeps()
  const job: EvaluateJob = {
    triggerId: 'nobody',
    source: null,
    block: null,
    nowMs: 1,
    matches: [{ key: 'k', item: {}, listeners: ['x:'] }],
    depth: 0,
  }
  await deps.store.jobs.add('evaluate', [{ data: job }])
  await evaluateChunk(deps, await house.claim(deps.store))
  expect(await house.alerts()).toEqual([])
  await house.settled()
})

test('alerts outlive their subscription, trigger and resource, and are deleted with their account', async () => {
  const trigger = await house.trigger('moved')
  const id = await house.subscribe(trigger)
  const deps = await house.openDeps()
  await house.happen(deps.store, trigger)
  await evaluateChunk(deps, await house.claim(deps.store))
  await house.query('delete from subscriptions where id = $1', [id])
  await house.query('delete from triggers')
  await house.query('delete from resources')
  expect(await house.alerts()).toMatchObject([{ subscription_id: null, trigger_id: null, trigger: 'acme.p.moved' }])
  expect(await house.deliveries()).toMatchObject([{ resource_id: null, resource: 'acme.hook' }])
  await house.query('delete from accounts')
  expect(await house.alerts()).toEqual([])
  expect(await house.deliveries()).toEqual([])
})
