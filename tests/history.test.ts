import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from './harness/deliveries.ts'
import { query, until } from './harness/following.ts'
import {
  customSource,
  type Harness,
  harness,
  type Person,
  project,
  resource,
  subscription,
  trigger,
} from './harness/index.ts'
import { rejects } from './harness/rejects.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'
import { type Call, faultyEndpoint } from './nodes/faulty-endpoint.ts'

/** New subscriptions run over past blocks of a real node first, and then go on live. */
let house: Harness
let ann: Person
let receiver: Receiver
let node: EvmNode
let proxy: Awaited<ReturnType<typeof faultyEndpoint>>
/** Logs of blocks below this number cannot be read, as on a node that has deleted them. */
let prunedBelow = 0
/** While it is set, the node answers no block but the head. */
let isHoldingBack: ((number: number) => boolean) | undefined
const topic = `0x${'7'.repeat(64)}`
const source = 'acme.evm'
const limit = 40

beforeAll(async () => {
  house = await harness({ ROLE: 'all', ALLOW_PRIVATE_NETWORKS: 'on', LIMIT_HISTORY_BLOCKS: String(limit) })
  receiver = await startReceiver()
  node = await startEvmNode()
  for (let at = 0; at < 8; at += 1) await node.emit([topic], word(at))
  proxy = await faultyEndpoint(node.url, fault)
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  await ann.saveResource({ fullname: 'acme.hook', body: resource('acme.hook', { data: { url: receiver.url } }) })
  await ann.saveCustomSource({ fullname: source, body: customSource(source, { endpoints: [proxy.url] }) })
  const triggerSpec = { type: 'evm_log', dataSource: source } as const
  await ann.saveTrigger({
    fullname: 'acme.p.logs',
    body: trigger('acme.p.logs', { triggerSpec, transform: '({ n: Number(source.data) })' }),
  })
  await until(
    () => ann.getCustomSource({ fullname: source }),
    ({ runtime }) => runtime?.processedBlock !== undefined,
  )
})
afterAll(async () => {
  await house.close()
  receiver.close()
  await proxy.close()
  await node.close()
})

function word(value: number): string {
  return `0x${value.toString(16).padStart(64, '0')}`
}

async function fault({ method, params: [param] }: Call) {
  if (method === 'eth_getBlockByNumber' && isHoldingBack?.(Number(param)))
    return { error: { code: -32000, message: 'the node is busy' } }
  const isPruned = method === 'eth_getBlockByNumber' && Number(param) < prunedBelow
  return isPruned ? { error: { code: -32000, message: 'pruned history unavailable' } } : undefined
}

type Extra = Partial<Parameters<Person['createSubscription']>[0]['body']>
const subscribe = (extra: Extra, name = 'logs') =>
  ann.createSubscription({ body: subscription(`acme.p.${name}`, { resources: ['acme.hook'], ...extra }) })
const headNumber = async () => Number(await node.request('eth_blockNumber'))
/** The alerts of a subscription, the oldest first. */
const alertsOf = async (id: string) => (await ann.listAlerts({ query: { subscription: id } })).toReversed()
const valuesOf = (id: string) =>
  query<{ n: number; backfilled: boolean }>(
    house,
    "select (trace->'raw'->>'n')::int as n, backfilled from alerts where subscription_id = $1 order by seq",
    [id],
  )
const ended = (id: string, state = 'done') =>
  until(
    () => ann.getSubscription({ id }),
    ({ history }) => history?.state === state,
  )
const sentTo = (id: string) =>
  receiver.received.map(({ body }) => JSON.parse(body).data).filter(({ subscription }) => subscription === id)

test('a history is run in order, its alerts are listed and not sent, and the subscription then goes on live', async () => {
  const head = await headNumber()
  const created = await subscribe({ from: { block: 0 } })
  expect(created.history).toMatchObject({ from: 0, to: head, state: expect.stringMatching(/running|done/) })
  const { id, history } = await ended(created.id)
  expect(history).toEqual({ from: 0, to: head, done: head, state: 'done' })
  const past = await alertsOf(id)
  expect(past.map(({ status, hasDeliveries, backfilled }) => [status, hasDeliveries, backfilled])).toEqual(
    Array.from({ length: 8 }, () => ['delivered', false, true]),
  )
  await node.emit([topic], word(100))
  await until(
    () => valuesOf(id),
    (rows) => rows.length === 9,
  )
  expect(await valuesOf(id)).toEqual([
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((n) => ({ n, backfilled: true })),
    { n: 100, backfilled: false },
  ])
  await until(
    async () => sentTo(id).length,
    (count) => count === 1,
  )
  expect(sentTo(id)).toMatchObject([{ raw: { n: 100 }, backfilled: false }])
  await ann.deleteSubscription({ id })
})

test('with deliverHistory the alerts of past blocks are sent and marked, from the first block of a time on', async () => {
  const { timestamp } = (await node.request('eth_getBlockByNumber', ['0x5', false])) as { timestamp: string }
  const time = new Date(Number(timestamp) * 1000).toISOString()
  const { id } = await subscribe({ from: { time }, deliverHistory: true })
  const { history } = await ended(id)
  expect(history?.from).toBe(5)
  const emitted = (await valuesOf(id)).map(({ n }) => n)
  await until(
    async () => sentTo(id).length,
    (count) => count === emitted.length,
  )
  expect(sentTo(id).map(({ raw }) => raw.n)).toEqual(emitted)
  expect(new Set(sentTo(id).map(({ backfilled }) => backfilled))).toEqual(new Set([true]))
  await ann.deleteSubscription({ id })
})

test('events during a history come after it, and each comes once', async () => {
  isHoldingBack = (number) => number === 3
  const { id } = await subscribe({ from: { block: 1 } })
  for (let n = 200; n < 204; n += 1) await node.emit([topic], word(n))
  expect((await ann.getSubscription({ id })).history).toMatchObject({ state: 'running', done: 0 })
  isHoldingBack = undefined
  await ended(id)
  await node.emit([topic], word(204))
  const wanted = [0, 1, 2, 3, 4, 5, 6, 7, 100, 200, 201, 202, 203, 204]
  const rows = await until(
    () => valuesOf(id),
    (rows) => rows.length >= wanted.length,
  )
  // Live blocks are evaluated in any order.
  const past = rows.filter(({ backfilled }) => backfilled)
  expect(past.map(({ n }) => n)).toEqual(wanted.slice(0, past.length))
  expect(rows.slice(0, past.length)).toEqual(past)
  expect(rows.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual(wanted)
  await ann.deleteSubscription({ id })
})

const processed = (number: number) =>
  until(
    () => ann.getCustomSource({ fullname: source }),
    ({ runtime }) => (runtime?.processedBlock ?? 0) >= number,
  )
/** The values from `least` on that were not retracted, and those that were. */
async function valuesFrom(id: string, least: number): Promise<{ alive: number[]; retracted: number[] }> {
  const rows = await query<{ n: number; status: string }>(
    house,
    `select n, status from (select (trace->'raw'->>'n')::int as n, status from alerts where subscription_id = $1) a
      where n >= $2 order by n`,
    [id, least],
  )
  const of = (isRetracted: boolean) =>
    rows.filter(({ status }) => (status === 'retracted') === isRetracted).map(({ n }) => n)
  return { alive: of(false), retracted: of(true) }
}

test('blocks that a history has run over and that are replaced are retracted, and the new ones are run', async () => {
  const number = await headNumber()
  const snapshot = await node.request('evm_snapshot')
  for (const n of [300, 301]) await node.emit([topic], word(n))
  await processed(number + 2)
  const { id } = await subscribe({ from: { block: number } })
  await until(
    () => valuesFrom(id, 300),
    ({ alive }) => alive.length === 2,
  )
  await node.request('evm_revert', [snapshot])
  for (let n = 310; n < 314; n += 1) await node.emit([topic], word(n))
  const values = await until(
    () => valuesFrom(id, 300),
    ({ alive, retracted }) => alive.length === 4 && retracted.length === 2,
  )
  expect(values).toEqual({ alive: [310, 311, 312, 313], retracted: [300, 301] })
  await ended(id)
  await ann.deleteSubscription({ id })
})

test('blocks that are replaced during a history, before they are evaluated, leave no alerts', async () => {
  const released = Promise.withResolvers<void>()
  let asked = 0
  receiver.answer = async ({ path }) => {
    if (path !== '/slow') return { status: 204 }
    asked += 1
    await released.promise
    return { status: 200, body: '{}' }
  }
  const providers = [{ id: 'slow', type: 'http', url: receiver.url.replace('/hook', '/slow') }]
  const triggerSpec = { type: 'evm_log', dataSource: source } as const
  const body = trigger('acme.p.slow', { triggerSpec, providers, transform: '({ n: Number(source.data) })' } as never)
  await ann.saveTrigger({ fullname: 'acme.p.slow', body })
  const number = await headNumber()
  const snapshot = await node.request('evm_snapshot')
  for (const n of [500, 501]) await node.emit([topic], word(n))
  await processed(number + 2)
  const { id } = await subscribe({ from: { block: number + 1 } }, 'slow')
  await until(
    async () => asked,
    (count) => count > 0,
  )
  await node.request('evm_revert', [snapshot])
  for (let n = 510; n < 514; n += 1) await node.emit([topic], word(n))
  await until(
    () => query<{ generation: number }>(house, 'select generation from histories where subscription_id = $1', [id]),
    ([row]) => row?.generation === 1,
  )
  released.resolve()
  const { alive, retracted } = await until(
    () => valuesFrom(id, 500),
    ({ alive }) => alive.length >= 4,
  )
  expect({ alive, retracted }).toEqual({ alive: [510, 511, 512, 513], retracted: [] })
  await ended(id)
  receiver.answer = () => ({ status: 204 })
  await ann.deleteSubscription({ id })
})

test('a state window sees the values of the history in their order, and goes on with them', async () => {
  const providers = [
    { id: 'w', type: 'state_window', dedupeBy: '{{source.transactionHash}}', value: '{{source.data}}', keepLast: 1000 },
  ]
  const transform = '({ n: providers.w.count })'
  const triggerSpec = { type: 'evm_log', dataSource: source } as const
  const body = trigger('acme.p.window', { triggerSpec, providers, transform } as never)
  await ann.saveTrigger({ fullname: 'acme.p.window', body })
  const { id } = await subscribe({ from: { block: 0 } }, 'window')
  await ended(id)
  await node.emit([topic], word(400))
  const rows = await until(
    () => valuesOf(id),
    (rows) => rows.at(-1)?.backfilled === false,
  )
  expect(rows.map(({ n }) => n)).toEqual(rows.map((_, at) => at + 1))
  await ann.deleteSubscription({ id })
})

test('a history that cannot be is refused with its path, and nothing is saved', async () => {
  const timer = trigger('acme.p.timer', { triggerSpec: { type: 'timer', interval: '1h' } })
  await ann.saveTrigger({ fullname: 'acme.p.timer', body: timer })
  const before = (await ann.listSubscriptions({ query: {} })).length
  const isRefused = (work: Promise<unknown>, path: string) =>
    rejects(work, { code: 'invalid_payload', details: { issues: [{ path }] } })
  const head = await headNumber()
  await isRefused(subscribe({ from: { block: head + 5 } }), 'from.block')
  await isRefused(subscribe({ from: { time: '2100-01-01T00:00:00.000Z' } }), 'from.time')
  await isRefused(subscribe({ from: {} }), 'from')
  await isRefused(subscribe({ from: { block: 1, time: '2020-01-01T00:00:00.000Z' } }), 'from')
  await isRefused(subscribe({ from: { block: -1 } }), 'from.block')
  await isRefused(subscribe({ from: { time: 'yesterday' } }), 'from.time')
  await isRefused(subscribe({ from: { block: 0 } }, 'timer'), 'from')
  prunedBelow = 3
  await isRefused(subscribe({ from: { block: 2 } }), 'from.block')
  await isRefused(subscribe({ from: { time: '2020-01-01T00:00:00.000Z' } }), 'from.time')
  prunedBelow = 0
  while ((await headNumber()) <= limit) await node.request('evm_mine')
  const used = (await headNumber()) + 1
  await rejects(subscribe({ from: { block: 0 } }), { code: 'limit_reached', status: 403, details: { limit, used } })
  await rejects(subscribe({ from: { time: '2020-01-01T00:00:00.000Z' } }), { code: 'limit_reached' })
  expect(await ann.listSubscriptions({ query: {} })).toHaveLength(before)
})
