import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Service } from '../server/src/service.ts'
import { query, until } from './harness/following.ts'
import { type HistoryFixture, historyFixture } from './harness/histories.ts'
import { subscription } from './harness/index.ts'

/** What happens to a history when its process stops, and when its subscription changes. */
let fixture: HistoryFixture
let engine: Service
let skippedMs = 0
/** The history waits for this block. */
const heldBlock = 6
const startEngine = () => fixture.house.startEngine({ now: () => performance.now() + skippedMs })

beforeAll(async () => {
  fixture = await historyFixture({})
  engine = await startEngine()
  await fixture.processed(await fixture.headNumber())
})
afterAll(async () => {
  await engine.stop()
  await fixture.close()
})

/** Makes a history that has run over the blocks before the held one. */
async function waitingHistory(extra: Parameters<HistoryFixture['subscribe']>[0] = {}, name = 'logs'): Promise<string> {
  fixture.faults.isHeldBack = (number) => number === heldBlock
  const { id } = await fixture.subscribe({ from: { block: 1 }, ...extra }, name)
  await until(
    () => historyOf(id),
    (history) => history?.done === heldBlock - 1,
  )
  return id
}

/** The next attempt to read the block comes at once. */
function release(): void {
  fixture.faults.isHeldBack = undefined
  skippedMs += 1_000
}
const historyOf = async (id: string) => (await fixture.ann.getSubscription({ id })).history
const untilValues = (id: string, count: number) =>
  until(
    () => fixture.valuesOf(id),
    (rows) => rows.length >= count,
  )
/** Emits a log and waits until the service has processed its block. */
async function emitProcessed(value: number): Promise<void> {
  await fixture.emit(value)
  await fixture.processed(await fixture.headNumber())
}
const first = [0, 1, 2, 3]
const all = [0, 1, 2, 3, 4, 5, 6, 7]
const backfilled = (values: readonly number[]) => values.map((n) => ({ n, backfilled: true }))

test('a history goes on in another process and after a restart, in order, without a gap or a repeat', async () => {
  const id = await waitingHistory({ deliverHistory: true })
  const other = await startEngine()
  await engine.stop()
  engine = other
  await emitProcessed(100)
  expect(await historyOf(id)).toMatchObject({ state: 'running', done: heldBlock - 1 })
  await engine.stop()
  await fixture.emit(101)
  engine = await startEngine()
  await fixture.processed(await fixture.headNumber())
  const head = await fixture.headNumber()
  release()
  expect((await fixture.ended(id)).history).toEqual({ from: 1, to: head, done: head, state: 'done' })
  await fixture.emit(102)
  const wanted = [...all, 100, 101]
  expect(await untilValues(id, 11)).toEqual([...backfilled(wanted), { n: 102, backfilled: false }])
  const sent = await until(
    async () => [...new Map(fixture.sentTo(id).map((data) => [data.id, data.raw.n])).values()],
    (values) => values.length === 11,
  )
  expect(sent).toEqual([...wanted, 102])
  await fixture.ann.deleteSubscription({ id })
})

const saved = (trigger: string) => ({
  ...subscription(trigger, { resources: ['acme.hook'], meta: { title: 'Renamed' } }),
  from: { block: 3 },
  deliverHistory: true,
})

test('a save ignores from and deliverHistory: a running history goes on, and one that is done stays so', async () => {
  const id = await waitingHistory()
  const head = await fixture.headNumber()
  const body = saved('acme.p.logs')
  const { history, meta } = await fixture.ann.saveSubscription({ id, body })
  expect({ history, meta }).toEqual({
    history: { from: 1, to: head, done: heldBlock - 1, state: 'running' },
    meta: { title: 'Renamed' },
  })
  release()
  const done = { from: 1, to: head, done: head, state: 'done' }
  expect((await fixture.ended(id)).history).toEqual(done)
  expect((await fixture.ann.saveSubscription({ id, body })).history).toEqual(done)
  const before = await fixture.valuesOf(id)
  expect(before).toEqual(backfilled([...all, 100, 101, 102]))
  await fixture.emit(200)
  expect(await untilValues(id, before.length + 1)).toEqual([...before, { n: 200, backfilled: false }])
  await until(
    async () => fixture.sentTo(id).map(({ raw }) => raw.n),
    (values) => values.length > 0,
  )
  expect(fixture.sentTo(id).map(({ raw }) => raw.n)).toEqual([200])
  await fixture.ann.deleteSubscription({ id })
})

test('a save that chooses other events ends a running history as failed, and the subscription is live with them', async () => {
  await fixture.saveTrigger('others', { transform: '({ n: 1000 + Number(source.data) })' })
  const id = await waitingHistory()
  const head = await fixture.headNumber()
  const { history } = await fixture.ann.saveSubscription({ id, body: saved('acme.p.others') })
  const reason = 'The subscription was changed to other events.'
  expect(history).toEqual({ from: 1, to: head, done: heldBlock - 1, state: 'failed', reason })
  release()
  await fixture.emit(300)
  expect(await untilValues(id, 5)).toEqual([...backfilled(first), { n: 1300, backfilled: false }])
  await fixture.ann.deleteSubscription({ id })
})

test('a history ends as failed when its trigger is deleted', async () => {
  const id = await waitingHistory({}, 'others')
  await fixture.ann.deleteTrigger({ fullname: 'acme.p.others' })
  skippedMs += 1_000
  const { history } = await fixture.ended(id, 'failed')
  const reason = 'No trigger of the subscription reads the source any longer.'
  expect(history).toMatchObject({ done: heldBlock - 1, reason })
  await fixture.ann.deleteSubscription({ id })
})

test('a pause stops a history, and after it the history goes on where it was, over the blocks of the pause too', async () => {
  const id = await waitingHistory()
  const before = await fixture.valuesOf(id)
  await fixture.ann.pauseSubscription({ id })
  release()
  await emitProcessed(400)
  expect(await historyOf(id)).toMatchObject({ state: 'running', done: heldBlock - 1 })
  expect(await fixture.valuesOf(id)).toEqual(before)
  await fixture.ann.resumeSubscription({ id })
  await fixture.ended(id)
  expect(await fixture.valuesOf(id)).toEqual(backfilled([...all, 100, 101, 102, 200, 300, 400]))
  await fixture.ann.deleteSubscription({ id })
})

test('a deleted subscription ends its history, and the histories of others go on', async () => {
  /** The alerts of deleted subscriptions. */
  const orphans = () => query(fixture.house, 'select from alerts where subscription_id is null')
  const before = (await orphans()).length
  const [id, other] = [await waitingHistory(), await waitingHistory()]
  await fixture.ann.deleteSubscription({ id })
  release()
  await fixture.ended(other)
  const { house } = fixture
  expect(await query(house, 'select from histories where subscription_id = $1', [id])).toEqual([])
  expect(await query(house, "select from pgboss.job where name = 'evaluate-ordered' and state < 'completed'")).toEqual(
    [],
  )
  expect(await orphans()).toHaveLength(before + first.length)
  await fixture.ann.deleteSubscription({ id: other })
})

test('the state windows of a history are deleted with its subscription, and when it is stopped', async () => {
  const providers = [
    { id: 'w', type: 'state_window', dedupeBy: '{{source.data}}', value: '{{source.data}}', keepLast: 3 },
  ]
  await fixture.saveTrigger('windows', { providers })
  const windows = () => query(fixture.house, "select from state_windows where scope like 'history %'")
  const deleted = await waitingHistory({}, 'windows')
  expect(await windows()).toHaveLength(1)
  await fixture.ann.deleteSubscription({ id: deleted })
  expect(await windows()).toEqual([])
  const stopped = await waitingHistory({}, 'windows')
  expect(await windows()).toHaveLength(1)
  await fixture.ann.saveSubscription({ id: stopped, body: saved('acme.p.logs') })
  expect(await windows()).toEqual([])
  release()
  await fixture.ann.deleteSubscription({ id: stopped })
})

// The last test, because the service takes the skipped time for the time between two blocks.
test('blocks that cannot be read for a minute end the history as failed, and the subscription is live', async () => {
  const id = await waitingHistory()
  const head = await fixture.headNumber()
  const history = await until(
    async () => {
      skippedMs += 20_000
      return historyOf(id)
    },
    (seen) => seen?.state === 'failed',
  )
  const reason = expect.stringContaining('the node is busy')
  expect(history).toEqual({ from: 1, to: head, done: heldBlock - 1, state: 'failed', reason })
  await fixture.emit(500)
  expect(await untilValues(id, first.length + 1)).toEqual([...backfilled(first), { n: 500, backfilled: false }])
  await fixture.ann.deleteSubscription({ id })
})
