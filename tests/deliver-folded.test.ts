import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DeliveryBench, deliveryBench, type Receiver, startReceiver, until } from './harness/deliveries.ts'

/** A long queue of one subscription to a chat or mailbox is told in one message. */

let bench: DeliveryBench
let receiver: Receiver
let dead: Promise<void>
let release: () => void
beforeEach(async () => {
  dead = new Promise((resolve) => {
    release = resolve
  })
  bench = await deliveryBench()
  receiver = await startReceiver()
  await bench.resource('slack', { url: receiver.url }, 'common.delivery.slack')
})
afterEach(async () => {
  release()
  receiver.close()
  await bench.close()
})

type Added = { severity?: string; state?: string; subscription_id?: string; resolves?: string; at?: number }
const add = async (count: number, { at = 0, ...columns }: Added = {}, resource = 'slack') => {
  for (let n = at; n < at + count; n++)
    await bench.alert(idOf(n), [resource], { title: `Number ${n}` }, { columns: { severity: 'info', ...columns } })
}
const idOf = (n: number) => `al_${String(n).padStart(4, '0')}`
const headings = () => receiver.received.map(({ body }) => JSON.parse(body).blocks[0].text.text as string)
const singles = () => headings().flatMap((heading) => /^(?:\w+: )?Number (\d+)$/.exec(heading)?.[1] ?? [])
const isDone = async () => {
  bench.clock.advance(1_000)
  const [left] = await bench.query("select from deliveries where status = 'pending' limit 1")
  return left === undefined
}
const untilDone = () => until(isDone, 'no pending delivery', bench.describeDeliveries)
const killLanes = () => bench.query("update lanes set lease_until = now() - interval '1 second', owner = 'killed'")
const takeBack = async (...ids: string[]) => {
  const { tx } = await bench.openStore()
  await tx(async (store) => {
    await bench.query('update alerts set block_hash = $1 where id = any($2)', ['0xc', ids])
    const { delivered } = await store.retractions.retract(
      'acme.chain',
      { hash: '0xc', incarnation: 0 },
      'Gone.',
      bench.clock.now(),
    )
    await store.deliveries.addRetractions(
      delivered.map(({ id }) => id),
      bench.clock.now(),
    )
  })
}
const statuses = () =>
  bench.query<{ status: string; folded: boolean; count: number }>(
    `select status, folded_into is not null as folded, count(*)::int as count from deliveries where kind = 'alert'
     group by 1, 2 order by 1, 2`,
  )

test('more than twenty waiting alerts are told in one message with their number, their time and a link', async () => {
  await add(12)
  bench.clock.advance(60_000)
  await add(13, { at: 12 })
  await bench.start()
  await untilDone()
  expect(headings()).toEqual(['25 alerts of acme.p.t'])
  const { blocks } = JSON.parse(receiver.received[0]?.body ?? '')
  expect(blocks[1].text.text).toBe(
    `From 2030-01-01 00:00:00 to 2030-01-01 00:01:00 UTC. Too many waited for one message each. The newest:
${[24, 23, 22, 21, 20].map((n) => `• Number ${n}`).join('\n')}
and 20 more`,
  )
  expect(blocks[2].text.text).toBe('<https://tocsin.example/w/acme/alerts?subscription=s|Show the alerts>')
  expect(await statuses()).toEqual([
    { status: 'delivered', folded: false, count: 1 },
    { status: 'delivered', folded: true, count: 24 },
  ])
  expect(await Promise.all([bench.statusOf(idOf(0)), bench.statusOf(idOf(24))])).toEqual(['delivered', 'delivered'])
})

test('twenty waiting alerts are twenty messages', async () => {
  await add(20)
  await bench.start()
  await untilDone()
  expect(singles()).toHaveLength(20)
})

test('critical alerts, warnings and the ends of alerts have messages of their own', async () => {
  await add(21)
  await add(21, { at: 100, severity: 'critical' })
  await add(21, { at: 200, severity: 'warning' })
  await add(21, { at: 300, state: 'resolved' })
  await bench.start()
  await untilDone()
  expect(headings().filter((heading) => !heading.includes('Number'))).toEqual(['21 alerts of acme.p.t'])
  expect(
    singles()
      .map(Number)
      .filter((n) => n < 100),
  ).toEqual([])
  expect(singles()).toHaveLength(63)
})

test('each subscription has its own message, and a short queue beside a long one is not folded', async () => {
  await bench.query(`insert into subscriptions (id, account_id, workspace_id, project_id, trigger_id, meta, created_at, updated_at)
    values ('s2', 'a', 'w', 'p', 't', '{}', now(), now())`)
  await add(22)
  await add(3, { at: 100, subscription_id: 's2' })
  await bench.start()
  await untilDone()
  expect(headings()).toEqual(['22 alerts of acme.p.t', 'Number 100', 'Number 101', 'Number 102'])
})

test('webhooks get each alert', async () => {
  await bench.resource('hook', { url: receiver.url })
  await add(30, {}, 'hook')
  await bench.start()
  await untilDone()
  expect(receiver.received).toHaveLength(30)
})

for (const point of ['deliver.taken', 'deliver.beforeSettle'] as const)
  test(`after a process died at ${point} the next one sends the same message, and each alert is told in it once`, async () => {
    await add(30)
    let isReached = false
    await bench.start({
      crashPoint: (name) => {
        if (name !== point) return undefined
        isReached = true
        return dead
      },
    })
    await until(() => isReached, point)
    // What comes between is not told in the message that may have been sent.
    await add(5, { at: 30 })
    await killLanes()
    await bench.start()
    await untilDone()
    const folded = headings().filter((heading) => heading === '30 alerts of acme.p.t')
    expect(folded).toHaveLength(point === 'deliver.taken' ? 1 : 2)
    expect(new Set(receiver.received.slice(0, folded.length).map(({ body }) => body)).size).toBe(1)
    expect(singles()).toEqual(['30', '31', '32', '33', '34'])
    expect(await statuses()).toEqual([
      { status: 'delivered', folded: false, count: 6 },
      { status: 'delivered', folded: true, count: 29 },
    ])
  })

test('a message that failed is tried again with the same alerts, and later ones wait for their own', async () => {
  receiver.answer = () => ({ status: 500 })
  await add(25)
  await bench.start()
  await until(() => receiver.received.length === 1, 'the first attempt')
  await until(async () => (await bench.deliveries(idOf(0)))[0]?.attempts.length === 1, 'its record')
  await add(2, { at: 50 })
  receiver.answer = () => ({ status: 200 })
  await untilDone()
  expect(headings()).toEqual(['25 alerts of acme.p.t', '25 alerts of acme.p.t', 'Number 50', 'Number 51'])
})

test('if the channel refuses the message, each alert has failed and can be sent again', async () => {
  receiver.answer = () => ({ status: 400 })
  await add(25)
  await bench.start()
  await untilDone()
  expect(receiver.received).toHaveLength(1)
  expect(await Promise.all([bench.statusOf(idOf(0)), bench.statusOf(idOf(24))])).toEqual(['failed', 'failed'])
})

test('an alert that is taken back before its message is sent is not told, also if the message was to be sent with it', async () => {
  receiver.answer = () => ({ status: 500 })
  await add(30)
  await bench.start()
  await until(async () => (await bench.deliveries(idOf(0)))[0]?.attempts.length === 1, 'the first attempt')
  await bench.query("update deliveries set may_have_arrived = false where status = 'pending'")
  await takeBack(idOf(0), idOf(7))
  receiver.answer = () => ({ status: 200 })
  await untilDone()
  expect(headings()).toEqual(['30 alerts of acme.p.t', '28 alerts of acme.p.t'])
})

test('each alert that is taken back after the message has a retraction of its own, which leaves the message as it is', async () => {
  await bench.resource('discord', { url: receiver.url }, 'common.delivery.discord')
  receiver.answer = () => ({ status: 200, body: '{"id":"m1"}' })
  await add(25, {}, 'discord')
  await bench.start()
  await untilDone()
  await takeBack(idOf(0), idOf(7))
  await untilDone()
  const titles = receiver.received.map(({ path, body }) => [path, JSON.parse(body).embeds[0].title])
  expect(titles).toEqual([
    ['/hook?wait=true', '25 alerts of acme.p.t'],
    ['/hook?wait=true', 'Retracted: Number 0'],
    ['/hook?wait=true', 'Retracted: Number 7'],
  ])
})

test('alerts whose process died while it sent their message are corrected when their block is taken back', async () => {
  await add(25)
  await bench.start({ crashPoint: (name) => (name === 'deliver.sent' ? dead : undefined) })
  await until(() => receiver.received.length === 1, 'the message')
  await takeBack(idOf(0), idOf(7))
  await killLanes()
  await bench.start()
  await untilDone()
  expect(headings()).toEqual([
    ...['25 alerts of acme.p.t', '23 alerts of acme.p.t'],
    ...['Retracted: Number 0', 'Retracted: Number 7'],
  ])
})

test('a destination that is not ready fails alert by alert', async () => {
  await bench.query("update resources set ready = false, remark = 'Off.'")
  await add(25)
  await bench.start()
  await untilDone()
  expect(await statuses()).toEqual([{ status: 'dead', folded: false, count: 25 }])
})
