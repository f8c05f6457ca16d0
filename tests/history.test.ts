import { afterAll, beforeAll, expect, test } from 'vitest'
import { query, until } from './harness/following.ts'
import { type HistoryFixture, historyFixture, source } from './harness/histories.ts'
import { trigger } from './harness/index.ts'
import { rejects } from './harness/rejects.ts'

/** New subscriptions run over past blocks of a real node first, and then go on live. */
let fixture: HistoryFixture
const limit = 40

beforeAll(async () => {
  fixture = await historyFixture({ ROLE: 'all', LIMIT_HISTORY_BLOCKS: String(limit) })
  await fixture.processed(0)
})
afterAll(() => fixture.close())

/** The alerts of a subscription, the oldest first. */
const alertsOf = async (id: string) => (await fixture.ann.listAlerts({ query: { subscription: id } })).toReversed()

test('a history is run in order, its alerts are listed and not sent, and the subscription then goes on live', async () => {
  const head = await fixture.headNumber()
  const created = await fixture.subscribe({ from: { block: 0 } })
  expect(created.history).toMatchObject({ from: 0, to: head, state: expect.stringMatching(/running|done/) })
  const { id, history } = await fixture.ended(created.id)
  expect(history).toEqual({ from: 0, to: head, done: head, state: 'done' })
  const before = await alertsOf(id)
  expect(before.map(({ status, hasDeliveries, backfilled }) => [status, hasDeliveries, backfilled])).toEqual(
    Array.from({ length: 8 }, () => ['delivered', false, true]),
  )
  await fixture.emit(100)
  await until(
    () => fixture.valuesOf(id),
    (rows) => rows.length === 9,
  )
  expect(await fixture.valuesOf(id)).toEqual([
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((n) => ({ n, backfilled: true })),
    { n: 100, backfilled: false },
  ])
  await until(
    async () => fixture.sentTo(id).length,
    (count) => count === 1,
  )
  expect(fixture.sentTo(id)).toMatchObject([{ raw: { n: 100 }, backfilled: false }])
  await fixture.ann.deleteSubscription({ id })
})

test('with deliverHistory the alerts of past blocks are sent and marked, from the first block of a time on', async () => {
  const { timestamp } = (await fixture.node.request('eth_getBlockByNumber', ['0x5', false])) as { timestamp: string }
  // The same time with an offset instead of Z.
  const time = new Date(Number(timestamp) * 1000 + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
  const { id } = await fixture.subscribe({ from: { time }, deliverHistory: true })
  const { history } = await fixture.ended(id)
  expect(history?.from).toBe(5)
  const emitted = (await fixture.valuesOf(id)).map(({ n }) => n)
  await until(
    async () => fixture.sentTo(id).length,
    (count) => count === emitted.length,
  )
  expect(fixture.sentTo(id).map(({ raw }) => raw.n)).toEqual(emitted)
  expect(new Set(fixture.sentTo(id).map(({ backfilled }) => backfilled))).toEqual(new Set([true]))
  await fixture.ann.deleteSubscription({ id })
})

test('events during a history come after it, each comes once, and they are sent as live ones are', async () => {
  fixture.faults.isHeldBack = (number) => number === 3
  const head = await fixture.headNumber()
  const { id } = await fixture.subscribe({ from: { block: 1 } })
  for (let n = 200; n < 204; n += 1) await fixture.emit(n)
  expect((await fixture.ann.getSubscription({ id })).history).toMatchObject({ state: 'running', done: 0 })
  fixture.faults.isHeldBack = undefined
  expect((await fixture.ended(id)).history).toEqual({ from: 1, to: head, done: head, state: 'done' })
  await fixture.emit(204)
  const wanted = [0, 1, 2, 3, 4, 5, 6, 7, 100, 200, 201, 202, 203, 204]
  const rows = await until(
    () => fixture.valuesOf(id),
    (rows) => rows.length >= wanted.length,
  )
  // Live blocks are evaluated in any order.
  const past = rows.filter(({ backfilled }) => backfilled)
  expect(past.map(({ n }) => n)).toEqual(wanted.filter((n) => n < 200))
  expect(rows.slice(0, past.length)).toEqual(past)
  expect(rows.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual(wanted)
  const sent = await until(
    async () => fixture.sentTo(id).map(({ raw }) => raw.n),
    (sent) => sent.length >= 5,
  )
  expect(sent.toSorted((a, b) => a - b)).toEqual([200, 201, 202, 203, 204])
  await fixture.ann.deleteSubscription({ id })
})

test('a block that the follower has not applied when the subscription is saved belongs to the history', async () => {
  const before = await fixture.headNumber()
  await fixture.processed(before)
  const { hash } = (await fixture.node.request('eth_getBlockByNumber', ['latest', false])) as { hash: string }
  // The follower cannot read the logs of new blocks.
  fixture.faults.isRefused = ({ method, params }) => method === 'eth_getLogs' && !JSON.stringify(params).includes(hash)
  await fixture.emit(250)
  const { id, history } = await fixture.subscribe({ from: { block: before } })
  expect(history).toMatchObject({ from: before, to: before + 1 })
  const look = async () => (await fixture.ann.getSubscription({ id })).history
  await until(look, (history) => history?.done === before)
  // It has time to end too early.
  for (let looks = 0; looks < 20; looks += 1) expect(await look()).toMatchObject({ to: before + 1, state: 'running' })
  fixture.faults.isRefused = undefined
  expect((await fixture.ended(id)).history).toEqual({ from: before, to: before + 1, done: before + 1, state: 'done' })
  await fixture.emit(251)
  const rows = await until(
    async () => (await fixture.valuesOf(id)).filter(({ n }) => n >= 250),
    (rows) => rows.length === 2,
  )
  expect(rows).toEqual([
    { n: 250, backfilled: true },
    { n: 251, backfilled: false },
  ])
  await fixture.ann.deleteSubscription({ id })
})

test('blocks that replace the last ones of a running history are live', async () => {
  const number = await fixture.headNumber()
  const snapshot = await fixture.node.request('evm_snapshot')
  for (const n of [260, 261]) await fixture.emit(n)
  await fixture.processed(number + 2)
  fixture.faults.isHeldBack = (held) => held === 3
  const { id, history } = await fixture.subscribe({ from: { block: 2 } })
  expect(history).toMatchObject({ to: number + 2 })
  await fixture.node.request('evm_revert', [snapshot])
  for (const n of [270, 271, 272]) await fixture.emit(n)
  await fixture.processed(number + 3)
  fixture.faults.isHeldBack = undefined
  expect((await fixture.ended(id)).history).toEqual({ from: 2, to: number, done: number, state: 'done' })
  const sent = await until(
    async () => fixture.sentTo(id).map(({ raw }) => raw.n),
    (values) => values.length >= 3,
  )
  expect(sent.toSorted()).toEqual([270, 271, 272])
  await fixture.ann.deleteSubscription({ id })
})

/** The values from `least` on that were not retracted, and those that were. */
async function valuesFrom(id: string, least: number): Promise<{ alive: number[]; retracted: number[] }> {
  const rows = await query<{ n: number; status: string }>(
    fixture.house,
    `select n, status from (select (trace->'raw'->>'n')::int as n, status from alerts where subscription_id = $1) a
      where n >= $2 order by n`,
    [id, least],
  )
  const of = (isRetracted: boolean) =>
    rows.filter(({ status }) => (status === 'retracted') === isRetracted).map(({ n }) => n)
  return { alive: of(false), retracted: of(true) }
}

test('blocks that a history has run over and that are replaced are retracted, and the new ones are run', async () => {
  const number = await fixture.headNumber()
  const snapshot = await fixture.node.request('evm_snapshot')
  for (const n of [300, 301]) await fixture.emit(n)
  await fixture.processed(number + 2)
  const { id } = await fixture.subscribe({ from: { block: number } })
  await until(
    () => valuesFrom(id, 300),
    ({ alive }) => alive.length === 2,
  )
  await fixture.node.request('evm_revert', [snapshot])
  for (let n = 310; n < 314; n += 1) await fixture.emit(n)
  const values = await until(
    () => valuesFrom(id, 300),
    ({ alive, retracted }) => alive.length === 4 && retracted.length === 2,
  )
  expect(values).toEqual({ alive: [310, 311, 312, 313], retracted: [300, 301] })
  await fixture.ended(id)
  await fixture.ann.deleteSubscription({ id })
})

test('blocks that are replaced during a history, before they are evaluated, leave no alerts', async () => {
  const released = Promise.withResolvers<void>()
  let asked = 0
  fixture.receiver.answer = async ({ path }) => {
    if (path !== '/slow') return { status: 204 }
    asked += 1
    await released.promise
    return { status: 200, body: '{}' }
  }
  const providers = [{ id: 'slow', type: 'http', url: fixture.receiver.url.replace('/hook', '/slow') }]
  await fixture.saveTrigger('slow', { providers })
  const number = await fixture.headNumber()
  const snapshot = await fixture.node.request('evm_snapshot')
  for (const n of [500, 501]) await fixture.emit(n)
  await fixture.processed(number + 2)
  // The reorg also replaces a block before the history, which the history does not read.
  const { id } = await fixture.subscribe({ from: { block: number + 2 } }, 'slow')
  await until(
    async () => asked,
    (count) => count > 0,
  )
  await fixture.node.request('evm_revert', [snapshot])
  for (let n = 510; n < 514; n += 1) await fixture.emit(n)
  await until(
    () =>
      query<{ generation: number }>(fixture.house, 'select generation from histories where subscription_id = $1', [id]),
    ([row]) => (row?.generation ?? 0) > 0,
  )
  released.resolve()
  const { alive, retracted } = await until(
    () => valuesFrom(id, 500),
    ({ alive }) => alive.length >= 3,
  )
  expect({ alive, retracted }).toEqual({ alive: [511, 512, 513], retracted: [] })
  await fixture.ended(id)
  fixture.receiver.answer = () => ({ status: 204 })
  await fixture.ann.deleteSubscription({ id })
})

test('a reorg that replaces the last block of a waiting job loses nothing of the blocks before it', async () => {
  const released = Promise.withResolvers<void>()
  let asked = 0
  fixture.receiver.answer = async ({ path }) => {
    if (path !== '/slow') return { status: 204 }
    asked += 1
    await released.promise
    return { status: 200, body: '{}' }
  }
  const number = await fixture.headNumber()
  await fixture.emit(520)
  const snapshot = await fixture.node.request('evm_snapshot')
  await fixture.emit(521)
  await fixture.processed(number + 2)
  const { id } = await fixture.subscribe({ from: { block: number + 1 } }, 'slow')
  await until(
    async () => asked,
    (count) => count > 0,
  )
  await fixture.node.request('evm_revert', [snapshot])
  for (let n = 530; n < 532; n += 1) await fixture.emit(n)
  await until(
    () =>
      query<{ generation: number }>(fixture.house, 'select generation from histories where subscription_id = $1', [id]),
    ([row]) => (row?.generation ?? 0) > 0,
  )
  released.resolve()
  const { alive } = await until(
    () => valuesFrom(id, 520),
    ({ alive }) => alive.includes(531),
  )
  expect(alive).toEqual([520, 530, 531])
  await fixture.ended(id)
  fixture.receiver.answer = () => ({ status: 204 })
  await fixture.ann.deleteSubscription({ id })
})

test('a state window sees the values of the history in their order, and goes on with them', async () => {
  const providers = [
    { id: 'w', type: 'state_window', dedupeBy: '{{source.transactionHash}}', value: '{{source.data}}', keepLast: 1000 },
  ]
  await fixture.saveTrigger('window', { providers, transform: '({ n: providers.w.count })' })
  const { id } = await fixture.subscribe({ from: { block: 0 } }, 'window')
  await fixture.ended(id)
  await fixture.emit(400)
  const rows = await until(
    () => fixture.valuesOf(id),
    (rows) => rows.at(-1)?.backfilled === false,
  )
  expect(rows.map(({ n }) => n)).toEqual(rows.map((_, at) => at + 1))
  await fixture.ann.deleteSubscription({ id })
})

/** The alerts of a policy with states, in the order in which they were recorded. */
const statesOf = (id: string) =>
  query<{ id: string; n: number; state: string; resolves: string | null; backfilled: boolean }>(
    fixture.house,
    `select id, (trace->'raw'->>'n')::int as n, state, resolves, backfilled from alerts where subscription_id = $1
      order by seq`,
    [id],
  )
const untilStates = (id: string, count: number) =>
  until(
    () => statesOf(id),
    (rows) => rows.length >= count,
  )

test('a policy with states runs over the history, its alerts are backfilled, and live values go on from its state', async () => {
  const policy = { type: 'threshold', value: 'n', above: 3 } as const
  const { id } = await fixture.subscribe({ from: { block: 1 }, policy })
  await fixture.ended(id)
  const [fired, ...others] = await statesOf(id)
  expect([fired, others]).toMatchObject([{ n: 4, state: 'firing', backfilled: true }, []])
  await fixture.emit(9)
  await fixture.processed(await fixture.headNumber())
  await fixture.emit(1)
  await untilStates(id, 2)
  await fixture.emit(10)
  expect((await untilStates(id, 3)).slice(1)).toMatchObject([
    { n: 1, state: 'resolved', resolves: fired?.id, backfilled: false },
    { n: 10, state: 'firing', resolves: null, backfilled: false },
  ])
  const { values, alerts } = await fixture.ann.getAlertValues({ id: fired?.id ?? '' })
  expect(values.map(({ value, bound }) => [value, bound]).slice(-3)).toEqual([
    ['9', '3'],
    ['1', '3'],
    ['10', '3'],
  ])
  expect(values.map(({ value }) => value)).toContain('4')
  expect(alerts.map(({ state }) => state)).toEqual(['firing', 'resolved', 'firing'])
  expect(values.map(({ at }) => at)).toEqual(expect.arrayContaining(alerts.map(({ at }) => at)))
  const sent = await until(
    async () => fixture.sentTo(id),
    (all) => all.length === 2,
  )
  expect(sent.map(({ state, raw, backfilled }) => [state, raw.n, backfilled])).toEqual([
    ['resolved', 1, false],
    ['firing', 10, false],
  ])
  await fixture.ann.deleteSubscription({ id })
})

test('a history of a subscription that is created paused begins when the subscription is resumed', async () => {
  const { id, status } = await fixture.subscribe({ from: { block: 2 }, deliverHistory: true, paused: true })
  expect(status).toBe('paused')
  await fixture.node.request('evm_mine')
  await fixture.processed(await fixture.headNumber())
  expect(await fixture.valuesOf(id)).toEqual([])
  await fixture.ann.resumeSubscription({ id })
  await fixture.ended(id)
  expect((await fixture.valuesOf(id)).map(({ n }) => n)).toEqual(expect.arrayContaining([0, 7]))
})

test('blocks of a pause that the service has seen but not read yet belong to the history too', async () => {
  const { id } = await fixture.subscribe({ from: { block: 2 }, paused: true })
  const held = (await fixture.headNumber()) + 1
  fixture.faults.isHeldBack = (number) => number === held
  await fixture.emit(590)
  await fixture.emit(591)
  await fixture.seen(held + 1)
  await fixture.ann.resumeSubscription({ id })
  fixture.faults.isHeldBack = undefined
  expect((await fixture.ended(id)).history).toMatchObject({ to: held + 1, done: held + 1 })
  expect((await fixture.valuesOf(id)).filter(({ n }) => n >= 590)).toEqual([
    { n: 590, backfilled: true },
    { n: 591, backfilled: true },
  ])
  await fixture.ann.deleteSubscription({ id })
})

test('the blocks of a pause belong to the history, and later ones are live', async () => {
  const { id } = await fixture.subscribe({ from: { block: 2 }, paused: true })
  await fixture.emit(600)
  const head = await fixture.headNumber()
  await fixture.processed(head)
  fixture.faults.isHeldBack = (number) => number === 3
  await fixture.ann.resumeSubscription({ id })
  await fixture.emit(601)
  fixture.faults.isHeldBack = undefined
  expect((await fixture.ended(id)).history).toEqual({ from: 2, to: head, done: head, state: 'done' })
  const rows = await until(
    async () => (await fixture.valuesOf(id)).filter(({ n }) => n >= 600),
    (rows) => rows.length >= 2,
  )
  expect(rows).toEqual([
    { n: 600, backfilled: true },
    { n: 601, backfilled: false },
  ])
  await fixture.ann.deleteSubscription({ id })
})

test('a history begins at the time of a block also if the clock of the chain is ahead', async () => {
  const seconds = Math.floor(fixture.house.clock.now().getTime() / 1000) + 3_600
  await fixture.node.request('evm_setNextBlockTimestamp', [`0x${seconds.toString(16)}`])
  await fixture.emit(700)
  const head = await fixture.headNumber()
  await fixture.processed(head)
  const { id, history } = await fixture.subscribe({ from: { time: new Date(seconds * 1000).toISOString() } })
  expect(history).toMatchObject({ from: head, to: head })
  await fixture.ended(id)
  expect(await fixture.valuesOf(id)).toEqual([{ n: 700, backfilled: true }])
  await fixture.ann.deleteSubscription({ id })
})

test('a history that cannot be is refused with its path, and nothing is saved', async () => {
  const timer = trigger('acme.p.timer', { triggerSpec: { type: 'timer', interval: '1h' } })
  await fixture.ann.saveTrigger({ fullname: 'acme.p.timer', body: timer })
  const before = (await fixture.ann.listSubscriptions({ query: {} })).length
  const isRefused = (work: Promise<unknown>, path: string) =>
    rejects(work, { code: 'invalid_payload', details: { issues: [{ path }] } })
  const head = await fixture.headNumber()
  await isRefused(fixture.subscribe({ from: { block: head + 5 } }), 'from.block')
  await isRefused(fixture.subscribe({ from: { time: '2100-01-01T00:00:00.000Z' } }), 'from.time')
  await isRefused(fixture.subscribe({ from: {} }), 'from')
  await isRefused(fixture.subscribe({ from: { block: 1, time: '2020-01-01T00:00:00.000Z' } }), 'from')
  await isRefused(fixture.subscribe({ from: { block: -1 } }), 'from.block')
  await isRefused(fixture.subscribe({ from: { time: 'yesterday' } }), 'from.time')
  await isRefused(fixture.subscribe({ from: { block: 0 } }, 'timer'), 'from')
  fixture.faults.prunedBelow = 3
  await isRefused(fixture.subscribe({ from: { block: 2 } }), 'from.block')
  await isRefused(fixture.subscribe({ from: { time: '2020-01-01T00:00:00.000Z' } }), 'from.time')
  fixture.faults.prunedBelow = 0
  while ((await fixture.headNumber()) <= limit) await fixture.node.request('evm_mine')
  const used = (await fixture.headNumber()) + 1
  await rejects(fixture.subscribe({ from: { block: 0 } }), {
    code: 'limit_reached',
    status: 403,
    details: { limit, used },
  })
  await rejects(fixture.subscribe({ from: { time: '2020-01-01T00:00:00.000Z' } }), { code: 'limit_reached' })
  expect(await fixture.ann.listSubscriptions({ query: {} })).toHaveLength(before)
})

// The last test, because it deletes the source.
test('a history of a deleted source ends as failed with the reason', async () => {
  const head = await fixture.headNumber()
  await fixture.processed(head)
  const held = head - 2
  fixture.faults.isHeldBack = (number) => number === held
  const { id } = await fixture.subscribe({ from: { block: held - 3 } })
  await until(
    () => fixture.ann.getSubscription({ id }),
    ({ history }) => history?.done === held - 1,
  )
  await fixture.ann.deleteCustomSource({ fullname: source })
  const { history } = await fixture.ann.getSubscription({ id })
  expect(history).toMatchObject({ done: held - 1, state: 'failed', reason: `The data source "${source}" was deleted.` })
})
