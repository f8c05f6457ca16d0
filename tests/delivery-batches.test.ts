import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeDeliveries } from '../server/src/runtime/deliver/take-deliveries.ts'
import { type DeliveryBench, deliveryBench, type Receiver, startReceiver, until } from './harness/deliveries.ts'

/** What is special about deliveries in batches; `deliver-packed.test.ts` runs the other tests with them. */

let bench: DeliveryBench
let receiver: Receiver
/** A promise that resolves after the test. A loop that awaits it looks to the store like a killed process. */
let dead: PromiseWithResolvers<void>
beforeEach(async () => {
  dead = Promise.withResolvers()
  bench = await deliveryBench({}, true)
  receiver = await startReceiver()
  await bench.resource('hook', { url: receiver.url })
})
afterEach(async () => {
  dead.resolve()
  receiver.close()
  await bench.query('drop function if exists refuse cascade')
  await bench.close()
})

const ids = Array.from({ length: 40 }, (_, index) => `al_${index}`)
const idsOf = () => receiver.received.map(({ headers }) => String(headers['webhook-id']))
const countRows = async () => (await bench.query('select 1 from deliveries')).length
const batches = () =>
  bench.query<{ owner: string | null; size: number }>('select owner, size from delivery_batches order by id')
const allDelivered = (count = ids.length) =>
  until(
    async () => (await bench.query("select 1 from deliveries where status = 'delivered'")).length === count,
    'all deliveries',
    bench.describeDeliveries,
  )
/** Starts the lanes and waits until they send. The receiver answers when the returned promise is resolved. */
async function startSending(): Promise<PromiseWithResolvers<void>> {
  const go = Promise.withResolvers<void>()
  receiver.answer = async () => {
    await go.promise
    return { status: 204 }
  }
  await bench.start()
  await until(() => receiver.received.length > 0)
  return go
}
const expireLanes = () => bench.query("update lanes set lease_until = now() - interval '1 second', owner = 'killed'")

test('a batch is taken before anything is sent, and its rows are written once', async () => {
  await bench.alerts(ids, ['hook'])
  await bench.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'updated'; end $$;
    create trigger refuse before update on deliveries for each row execute function refuse()`)
  const taken = Promise.withResolvers<void>()
  await bench.start({ crashPoint: (name) => (name === 'deliver.taken' ? taken.promise : undefined) })
  await until(async () => (await batches())[0]?.owner != null)
  expect([await countRows(), receiver.received.length]).toEqual([0, 0])
  taken.resolve()
  await allDelivered()
  expect(await batches()).toEqual([])
  expect(idsOf().toSorted()).toEqual(ids.toSorted())
})

test('lists and views show a delivery in a batch as pending', async () => {
  const store = await bench.openStore()
  await bench.alerts(['al_1', 'al_2'], ['hook'])
  const list = async (status?: 'pending' | 'delivered') =>
    (await store.alerts.list('a', status ? { status } : {}, { limit: 10 })).rows.map((row) => row.id)
  const destinations = [
    { resource: 'acme.hook', blueprint: 'common.delivery.webhook', status: 'pending', isRetrying: false },
  ]
  expect([await list(), await list('pending'), await list('delivered')]).toEqual([
    ['al_2', 'al_1'],
    ['al_2', 'al_1'],
    [],
  ])
  expect(await store.alerts.find('al_1', 'a')).toMatchObject({ status: 'pending', has_deliveries: true, destinations })
  const [delivery] = await store.alerts.listDeliveries('al_1')
  const [{ id } = { id: '' }] = await bench.deliveries('al_1')
  expect(delivery).toMatchObject({ id, status: 'pending', resource: 'acme.hook', attempts: [], attempts_count: 0 })
  expect((await store.resourceHealth.findAll(['hook'], new Date(0))).get('hook')).toMatchObject({ queue: 2 })
  const [queue] = (await store.queueStates.list(bench.clock.now())).filter((one) => one.queue === 'deliveries')
  expect(queue?.depth).toBe(2)
  await bench.start()
  await allDelivered(2)
  expect([await list('pending'), await list('delivered')]).toEqual([[], ['al_2', 'al_1']])
})

test('after a crash the next process sends only the deliveries of a batch that have no recorded result', async () => {
  await bench.alerts(ids, ['hook'])
  receiver.answer = () => (receiver.received.length > 10 ? 'silence' : { status: 204 })
  await bench.start({ crashPoint: (name) => (name === 'deliver.afterSettle' ? dead.promise : undefined) })
  await until(async () => (await countRows()) > 0)
  // The process only looks killed: what it has not sent yet it would send beside the next one.
  await until(() => receiver.received.length === ids.length)
  const recorded = await bench.query<{ alert_id: string }>('select alert_id from deliveries')
  const sent = new Set(idsOf())
  receiver.received.length = 0
  receiver.answer = () => ({ status: 204 })
  await expireLanes()
  await bench.start()
  await allDelivered()
  const again = idsOf()
  expect(new Set(again).size).toBe(again.length)
  expect(again.toSorted()).toEqual(ids.filter((id) => !recorded.some(({ alert_id }) => alert_id === id)).toSorted())
  const doubtful = await bench.query<{ alert_id: string }>('select alert_id from deliveries where may_have_arrived')
  for (const id of again) if (sent.has(id)) expect(doubtful).toContainEqual({ alert_id: id })
  expect(await batches()).toEqual([])
})

test('a failed delivery of a batch is tried again, and the others are not', async () => {
  await bench.alerts(ids, ['hook'])
  receiver.answer = ({ headers }) => ({ status: headers['webhook-id'] === 'al_7' ? 500 : 204 })
  await bench.start()
  await allDelivered(ids.length - 1)
  expect(await bench.deliveries('al_7')).toMatchObject([{ status: 'pending', attempts: [{ ok: false, status: 500 }] }])
  expect(await batches()).toEqual([])
  receiver.answer = () => ({ status: 204 })
  bench.clock.advance(10_000)
  await allDelivered()
  expect(idsOf().toSorted()).toEqual([...ids, 'al_7'].toSorted())
})

test('a batch that is unpacked while it is sent is not sent twice', async () => {
  const store = await bench.openStore()
  await bench.alerts(ids, ['hook'])
  const go = await startSending()
  await store.deliveryBatches.unpackBefore(new Date(bench.clock.now().getTime() + 1))
  expect(await batches()).toEqual([])
  // The lane is woken and searches again while all deliveries are pending rows.
  await bench.alerts(['al_later'], ['hook'])
  await store.jobs.wakeLanes(new Set(['hook']))
  go.resolve()
  await allDelivered(ids.length + 1)
  expect(idsOf().toSorted()).toEqual([...ids, 'al_later'].toSorted())
})

test('a reorganisation takes back some alerts of a batch in flight, and the others arrive once', async () => {
  const store = await bench.openStore()
  await bench.alerts(ids, ['hook'])
  await bench.query("update alerts set block_hash = '0xc' where id <> all($1)", [['al_1', 'al_2']])
  const go = await startSending()
  const block = { hash: '0xb', incarnation: 0 }
  await store.tx(async (store) => {
    await store.deliveryBatches.unpackOfBlocks('acme.chain', [block])
    await store.retractions.retract('acme.chain', block, 'Gone.', bench.clock.now())
  })
  go.resolve()
  await until(async () => {
    const waiting = await bench.query("select 1 from deliveries where status = 'pending'")
    return waiting.length === 0 && (await bench.query('select 1 from lanes where owner is not null')).length === 0
  })
  const types = receiver.received.map(({ headers, body }) => `${JSON.parse(body).type} ${headers['webhook-id']}`)
  expect(new Set(types).size).toBe(types.length)
  for (const id of ids.filter((id) => id !== 'al_1' && id !== 'al_2')) expect(types).toContain(`alert ${id}`)
  for (const id of ['al_1', 'al_2'])
    expect(types.includes(`alert ${id}`), id).toBe(types.includes(`alert.retracted ${id}`))
})

/** A lane of the owner `me` that takes at most so many deliveries. */
async function takingLane() {
  const store = await bench.openStore()
  await bench.query(
    "insert into lanes (resource_id, owner, lease_until) values ('hook', 'me', now() + interval '1 hour')",
  )
  const take = (limit: number, openBatches: string[] = []) =>
    takeDeliveries([{ resourceId: 'hook', owner: 'me', limit, open: [], openBatches }], false, {
      ...{ store, clock: bench.clock.now, destinationDeps: bench.destinationDeps },
    })
  return { store, take }
}

test('among many lanes, a lane takes no more deliveries of batches than it may keep in memory', async () => {
  const { take } = await takingLane()
  for (const first of [0, 4, 8]) await bench.alerts(ids.slice(first, first + 4), ['hook'])
  await bench.alerts(ids.slice(12, 32), ['hook'])
  const taken = (await take(10)).flat().map(({ alert_id, batch }) => [alert_id, batch !== undefined])
  expect(
    taken
      .filter(([, isPacked]) => isPacked)
      .map(([id]) => id)
      .toSorted(),
  ).toEqual(ids.slice(0, 8).toSorted())
  expect(taken.filter(([, isPacked]) => !isPacked)).toHaveLength(10)
  expect(await batches()).toEqual([4, 4, 4].map((size, at) => ({ size, owner: at < 2 ? 'me' : null })))
})

test.each(['before', 'while'])(
  'a lane remembers what it sends if its batch is unpacked %s it takes more',
  async (when) => {
    const { store, take } = await takingLane()
    await bench.alerts(ids, ['hook'])
    const remembered = async () =>
      (await bench.query<{ ids: string[] }>("select ids from taken_deliveries where owner = 'me'"))[0]?.ids ?? []
    const [packed = []] = await take(100)
    const sent = packed.map(({ id }) => id).toSorted()
    const open = [...new Set(packed.map(({ batch }) => batch?.id ?? ''))]
    let more: Promise<unknown[][]> | undefined
    await store.tx(async (store) => {
      await store.deliveryBatches.unpack(open)
      if (when === 'before') return
      more = take(100, open)
      const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
      await until(async () => (await bench.query(waiting)).length > 0)
    })
    expect(await (more ?? take(100, open))).toEqual([[]])
    expect((await remembered()).toSorted()).toEqual(sent)
  },
)

test('a batch that is unpacked right after a lane took it is not taken again as rows', async () => {
  const { store, take } = await takingLane()
  await bench.alerts(ids, ['hook'])
  const { deliveryBatches } = store
  const takeBatches = deliveryBatches.take.bind(deliveryBatches)
  deliveryBatches.take = async (lanes) => {
    const batches = await takeBatches(lanes)
    await deliveryBatches.unpack(batches.map(({ id }) => id))
    return batches
  }
  const taken = (await take(100)).flat().map(({ id }) => id)
  expect([taken.length, new Set(taken).size]).toEqual([ids.length, ids.length])
})

test('a process that knows no batches retracts alerts of a batch', async () => {
  await bench.alerts(['al_1', 'al_2'], ['hook'])
  await bench.query("update alerts set status = 'retracted' where id = 'al_1'")
  expect(await batches()).toEqual([])
  expect(await bench.query('select alert_id, status from deliveries order by alert_id')).toEqual([
    { alert_id: 'al_1', status: 'pending' },
    { alert_id: 'al_2', status: 'pending' },
  ])
})

test('a deleted alert takes its delivery with it, and the others of its batch stay', async () => {
  await bench.alerts(['al_1', 'al_2'], ['hook'])
  await bench.query("delete from alerts where id = 'al_1'")
  expect(await bench.query('select alert_id, status from deliveries')).toEqual([
    { alert_id: 'al_2', status: 'pending' },
  ])
  await bench.start()
  await allDelivered(1)
  expect(idsOf()).toEqual(['al_2'])
})

test('a stop in the middle of a batch leaves the rest for the next process', async () => {
  await bench.alerts(ids, ['hook'])
  const stopping = Promise.withResolvers<void>()
  receiver.answer = async () => {
    await stopping.promise
    return { status: 204 }
  }
  const { stop } = await bench.start()
  await until(() => receiver.received.length > 0)
  const stopped = stop()
  stopping.resolve()
  await stopped
  expect(await batches()).toEqual([])
  expect(await bench.query('select 1 from deliveries where may_have_arrived')).toEqual([])
  await bench.start()
  await allDelivered()
  expect(idsOf().toSorted()).toEqual(ids.toSorted())
})
