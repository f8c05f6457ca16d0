import { createServer, type Server } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type EvaluationHouse, evaluationHouse, waitFor } from '../../../../tests/harness/evaluation.ts'
import type { EvaluateJob } from '../jobs/job.ts'
import { evaluateChunk } from './index.ts'

/** Runs that wait for a provider with `retry`. */
let house: EvaluationHouse
let server: Server
let base = ''
/** The items whose answer is there, and the items that were asked for. */
let ready = new Set<string>()
let asked: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const item = (request.url ?? '').slice(1)
    asked.push(item)
    response.end(JSON.stringify(ready.has(item) ? [item] : []))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  base = `http://127.0.0.1:${(server.address() as { port: number }).port}`
})
beforeEach(async () => {
  ready = new Set()
  asked = []
  house = await evaluationHouse()
})
afterEach(() => house.close())
afterAll(() => void server.close())

const retry = { attempts: 3, delayMs: 5_000, backoff: 'linear', retryOn: ['empty_array'] }
const http = (more: object = {}) => ({ id: 'h', type: 'http', url: `${base}/{{source.n}}`, retry, ...more })
const transform = { rawSource: '({ n: source.n, got: providers.h })' }
const block = (hash: string, incarnation = 0) => ({ number: 7, hash, timestampMs: 1_800_000_000_000, incarnation })
type Queue = 'evaluate' | 'evaluate-ordered'
const waiting = () =>
  house.query<{ state: string; in_ms: number }>(
    `select state, extract(epoch from start_after - $1::timestamptz) * 1000 as in_ms from pgboss.job
       where name like 'evaluate%' and state < 'active'`,
    [house.clock.now()],
  )
const wait = async (deps: Awaited<ReturnType<EvaluationHouse['openDeps']>>, queue: Queue = 'evaluate') => {
  await house.query('update pgboss.job set start_after = now() where start_after > now()')
  return house.claim<EvaluateJob>(deps.store, queue)
}
const outputs = async () => (await house.alerts()).map(({ trace }) => trace.raw ?? {})

test('a run that waits is in the store and holds no worker; later it makes the alert of its item', async () => {
  const trigger = await house.trigger('parked', { providers: [http()], transform })
  const before = await house.subscribe(trigger)
  const deps = await house.openDeps()
  const matches = [1, 2].map((n) => ({ key: `k${n}`, item: { n }, listeners: [`${before}:`] }))
  ready.add('2')
  await house.happen(deps.store, trigger, { matches })
  await evaluateChunk(deps, await house.claim(deps.store))
  expect(await outputs()).toEqual([{ n: 2, got: ['2'] }])
  expect(await waiting()).toEqual([{ state: 'created', in_ms: '5000.000000' }])
  house.clock.advance(5_000)
  await evaluateChunk(deps, await wait(deps))
  expect(await waiting()).toEqual([{ state: 'created', in_ms: '10000.000000' }])
  house.clock.advance(10_000)
  ready.add('1')
  const taken = await wait(deps)
  expect(taken.data).toMatchObject({ nowMs: expect.any(Number), matches: [{ key: 'k1', parked: { attempts: 2 } }] })
  await evaluateChunk(deps, taken)
  expect(await waiting()).toEqual([])
  expect(asked).toEqual(['1', '2', '1', '1'])
  // The same match without a wait has the same alert, so the item kept its identity.
  const ids = (await house.alerts()).map(({ id }) => id).sort()
  await house.happen(deps.store, trigger, { matches, nowMs: taken.data.nowMs })
  await evaluateChunk(deps, await house.claim(deps.store))
  expect((await house.alerts()).map(({ id }) => id).sort()).toEqual(ids)
  expect(ids).toHaveLength(2)
})

test('a process that dies when it parks a run, or when it takes it up, neither loses nor doubles it', async () => {
  const trigger = await house.trigger('parked', { providers: [http()], transform })
  await house.subscribe(trigger)
  const deps = await house.openDeps()
  const dying = { ...deps, crashPoint: (name: string) => Promise.reject(new Error(name)) }
  const again = async () => {
    await house.query("update pgboss.job set state = 'retry' where state = 'active'")
    return house.claim(deps.store)
  }
  await house.happen(deps.store, trigger)
  await expect(evaluateChunk(dying, await house.claim(deps.store))).rejects.toThrow('evaluate.beforeCommit')
  await evaluateChunk(deps, await again())
  expect(await waiting()).toHaveLength(1)
  ready.add('1')
  await expect(evaluateChunk(dying, await wait(deps))).rejects.toThrow('evaluate.beforeCommit')
  expect(await outputs()).toEqual([])
  const lateCommit = { ...deps, crashPoint: (name: string) => (name.endsWith('afterCommit') ? die(name) : undefined) }
  await expect(evaluateChunk(lateCommit, await again())).rejects.toThrow('evaluate.afterCommit')
  expect(await outputs()).toEqual([{ n: 1, got: ['1'] }])
  expect(await waiting()).toEqual([])
})

function die(name: string): never {
  throw new Error(name)
}

test('a reorg takes a parked run back before it asks again; the block that is applied again has a run of its own', async () => {
  const trigger = await house.trigger('parked', { providers: [http()], transform })
  await house.subscribe(trigger)
  const deps = await house.openDeps()
  await house.query(
    `insert into source_blocks (source, hash, number, parent_hash, incarnation) values ('s', '0xa', 7, '0x9', 0)`,
  )
  const happen = (incarnation: number) =>
    house.happen(deps.store, trigger, { source: 's', block: block('0xa', incarnation) })
  await happen(0)
  await evaluateChunk(deps, await house.claim(deps.store))
  await house.query('update source_blocks set undone_at = now()')
  ready.add('1')
  const undone = await wait(deps)
  await house.query('update source_blocks set undone_at = null, incarnation = 1')
  ready.clear()
  await happen(1)
  await evaluateChunk(deps, await house.claim(deps.store))
  // Equal reads of one block share the first answer.
  expect(asked).toHaveLength(1)
  await evaluateChunk(deps, undone)
  expect(asked).toHaveLength(1)
  ready.add('1')
  await evaluateChunk(deps, await wait(deps))
  expect(asked).toHaveLength(2)
  expect(await house.alerts()).toMatchObject([{ incarnation: 1 }])
  expect(await waiting()).toEqual([])
})

test('a run without a further attempt fails once, with a log, and is not run again; with continue it goes on', async () => {
  const once = { ...retry, attempts: 2 }
  const fails = await house.trigger('fails', { providers: [http({ retry: once })], transform })
  const goesOn = await house.trigger('goes-on', {
    providers: [http({ retry: { ...once, exhausted: 'continue' } })],
    transform,
  })
  await house.subscribe(fails)
  await house.subscribe(goesOn)
  const deps = await house.openDeps()
  for (const trigger of [fails, goesOn]) {
    await house.happen(deps.store, trigger)
    await evaluateChunk(deps, await house.claim(deps.store))
    await evaluateChunk(deps, await wait(deps))
  }
  expect(await waiting()).toEqual([])
  expect(asked).toHaveLength(4)
  expect(await house.alerts()).toMatchObject([{ trigger: 'acme.p.goes-on', trace: { raw: { got: [] } } }])
  const logs = await house.query('select trigger_id, reason_code, message from trigger_logs')
  expect(logs).toMatchObject([
    {
      ...{ trigger_id: fails, reason_code: 'trigger.runtime_error' },
      message: 'providers.0.retry: the result is an empty array; gave up after attempt 2 of 2',
    },
  ])
})

test('several processes take parked runs up once each, while other items go on', async () => {
  const trigger = await house.trigger('parked', { providers: [http()], transform })
  await house.subscribe(trigger)
  const numbers = Array.from({ length: 12 }, (_, n) => n)
  ready = new Set(['8', '9', '10', '11'])
  const [one, two] = [await house.start({ slots: 1 }), await house.start({ slots: 1 })]
  await one.deps.store.tx(async (store) => {
    for (let at = 0; at < 12; at += 3)
      await house.happen(store, trigger, { items: numbers.slice(at, at + 3).map((n) => ({ n })) })
  })
  await waitFor(async () => (await house.alerts()).length === 4)
  await house.settled()
  for (const n of numbers) ready.add(String(n))
  await house.hurry('evaluate')
  await waitFor(async () => (await house.alerts()).length === 12)
  await house.settled()
  await Promise.all([one.stop(), two.stop()])
  const told = (await outputs()).map(({ n }) => Number(n)).sort((a, b) => a - b)
  expect(told).toEqual(numbers)
  expect(asked.toSorted((a, b) => Number(a) - Number(b))).toEqual(
    numbers.flatMap((n) => (n < 8 ? [String(n), String(n)] : [String(n)])),
  )
})

test('a trigger with a state window waits as a whole, so that the window gets its items in order and once each', async () => {
  const window = { id: 'w', type: 'state_window', dedupeBy: '{{source.n}}', value: '{{source.n}}', keepLast: 9 }
  const early = { ...window, id: 'early' }
  const trigger = await house.trigger('sums', {
    providers: [early, http(), window],
    transform: { rawSource: '({ early: providers.early.values, values: providers.w.values })' },
  })
  await house.subscribe(trigger)
  const deps = await house.openDeps()
  ready = new Set(['1', '3', '4'])
  const happen = (...numbers: number[]) =>
    house.happen(deps.store, trigger, { items: numbers.map((n) => ({ n })) }, 'evaluate-ordered')
  await happen(1, 2, 3)
  await happen(4)
  const first = await house.claim(deps.store, 'evaluate-ordered')
  await evaluateChunk(deps, first)
  expect(await outputs()).toEqual([{ early: [1], values: [1] }])
  expect(asked).toEqual(['1', '2'])
  await expect(house.claim(deps.store, 'evaluate-ordered')).rejects.toThrow('There is no job')
  // The first claim ended with the commit: its process cannot commit again.
  await expect(evaluateChunk(deps, first)).rejects.toThrow(/expired/)
  ready.add('2')
  await evaluateChunk(deps, await wait(deps, 'evaluate-ordered'))
  await evaluateChunk(deps, await house.claim(deps.store, 'evaluate-ordered'))
  expect(asked.slice(-3)).toEqual(['2', '3', '4'])
  expect(await outputs()).toEqual([[1], [1, 2], [1, 2, 3], [1, 2, 3, 4]].map((values) => ({ early: values, values })))
  expect(await waiting()).toEqual([])
})

test('a trigger that was edited meanwhile runs in its new version, and a deleted one not at all', async () => {
  const edited = await house.trigger('edited', { providers: [http()], transform })
  const deleted = await house.trigger('deleted', { providers: [http()], transform })
  await house.subscribe(edited)
  await house.subscribe(deleted)
  const deps = await house.openDeps()
  await house.happen(deps.store, edited, { items: [{ n: 1 }] })
  await evaluateChunk(deps, await house.claim(deps.store))
  await house.trigger('edited', { providers: [http({ url: `${base}/new-{{source.n}}` })], transform })
  ready.add('new-1')
  await deps.listeners.refresh()
  await evaluateChunk(deps, await wait(deps))
  expect(await outputs()).toEqual([{ n: 1, got: ['new-1'] }])
  await house.happen(deps.store, deleted, { items: [{ n: 5 }] })
  await evaluateChunk(deps, await house.claim(deps.store))
  await house.query('delete from triggers where id = $1', [deleted])
  await deps.listeners.refresh()
  await evaluateChunk(deps, await wait(deps))
  expect(asked).toEqual(['1', 'new-1', '5'])
  expect(await waiting()).toEqual([])
})
