import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DeliveryBench, deliveryBench, type Receiver, startReceiver, until } from './harness/deliveries.ts'

/** Many alerts for one webhook. */
let bench: DeliveryBench
let receiver: Receiver
let release: () => void
let dead: Promise<void>
beforeEach(async () => {
  dead = new Promise((resolve) => {
    release = resolve
  })
  bench = await deliveryBench()
  receiver = await startReceiver()
})
afterEach(async () => {
  release()
  receiver.close()
  await bench.close()
})

const ids = Array.from({ length: 400 }, (_, index) => `al_${index}`)
const hook = (extra = {}) => bench.resource('hook', { url: receiver.url, ...extra })
const idsOf = () => receiver.received.map(({ headers }) => headers['webhook-id'])
const countOf = async (where: string) =>
  (await bench.query<{ count: number }>(`select count(*)::int as count from deliveries where ${where}`))[0]?.count
const allDelivered = () => until(async () => (await countOf("status <> 'delivered'")) === 0, 'all deliveries')

test('each delivery arrives once and signed, at most 32 at the same time', async () => {
  const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
  await hook({ secret })
  await bench.alerts(ids, ['hook'])
  let [now, most] = [0, 0]
  const full = Promise.withResolvers<void>()
  receiver.answer = async () => {
    now += 1
    most = Math.max(most, now)
    if (now === 32) full.resolve()
    await full.promise
    await new Promise((resolve) => setTimeout(resolve, 5))
    now -= 1
    return { status: 202 }
  }
  await bench.start()
  await allDelivered()
  expect(idsOf().sort()).toEqual(ids.toSorted())
  expect(most).toBe(32)
  for (const { headers, body } of receiver.received) {
    const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const mac = createHmac('sha256', Buffer.alloc(24, 1)).update(text).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${mac}`)
  }
  expect(await bench.deliveries('al_7')).toMatchObject([{ attempts: [{ ok: true, status: 202 }] }])
  expect(await bench.statusOf('al_7')).toBe('delivered')
})

test('a receiver with a rate limit gets no more requests until it ends; unsent deliveries do not count as attempts', async () => {
  await hook()
  await bench.alerts(ids, ['hook'])
  receiver.answer = () => {
    const isEnough = receiver.received.length > 50
    return isEnough ? { status: 429, headers: { 'retry-after': '600' } } : { status: 200 }
  }
  await bench.start()
  await until(async () => ((await countOf('attempts_count > 0')) ?? 0) > 50)
  await until(async () => (await bench.query('select 1 from lanes where owner is not null')).length === 0)
  expect(receiver.received.length).toBeLessThan(ids.length / 2)
  expect(await countOf('attempts_count > 0')).toBe(receiver.received.length)
  expect(await countOf("status = 'delivered'")).toBe(50)
  receiver.answer = () => ({ status: 200 })
  bench.clock.advance(601_000)
  await allDelivered()
  expect(new Set(idsOf()).size).toBe(ids.length)
})

test('if one delivery fails, the others arrive once, and it is retried when it is due', async () => {
  await hook()
  await bench.alerts(ids, ['hook'])
  const failed = new Set<unknown>()
  receiver.answer = ({ headers }) => {
    const id = headers['webhook-id']
    if (failed.has(id) || !String(id).endsWith('5')) return { status: 200 }
    failed.add(id)
    return { status: 500 }
  }
  await bench.start()
  await until(async () => (await countOf("status = 'delivered'")) === ids.length * 0.9, 'those that did not fail')
  expect(receiver.received).toHaveLength(ids.length)
  expect(await countOf("status = 'pending' and attempts_count = 1")).toBe(failed.size)
  bench.clock.advance(60_000)
  await allDelivered()
  expect(receiver.received).toHaveLength(ids.length + failed.size)
})

test('after a process dies, another sends the deliveries that were not recorded, with the same ids', async () => {
  await hook()
  await bench.alerts(ids, ['hook'])
  let sent = 0
  await bench.start({ crashPoint: (name) => (name === 'deliver.sent' && ++sent > 100 ? dead : undefined) })
  await until(() => sent > 100)
  await bench.query("update lanes set lease_until = now() - interval '1 second', owner = 'killed'")
  await bench.start()
  await allDelivered()
  expect(new Set(idsOf())).toEqual(new Set(ids))
})
