import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sendAgain } from '../server/src/domain/alerts/replay.ts'
import { healthOf } from '../server/src/domain/resource-health.ts'
import { sendTest } from '../server/src/domain/send-test.ts'
import { openDoor } from '../server/src/engine/outbound/index.ts'
import { ageMaxMs, retryDelaysMs } from '../server/src/runtime/deliver/schedule.ts'
import { makeLaneWakes } from '../server/src/runtime/jobs/lane-wakes.ts'
import type { Store } from '../server/src/store/index.ts'
import { type DeliveryBench, deliveryBench, type Receiver, startReceiver, until } from './harness/deliveries.ts'

let bench: DeliveryBench
let receiver: Receiver
/** A promise that never resolves during the test. A loop that awaits it looks to the store like a killed process. */
let dead: Promise<void>
let release: () => void
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

const hourMs = 3_600_000
const idsOf = () => receiver.received.map(({ headers }) => headers['webhook-id'])
const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const hook = (extra = {}) => bench.resource('hook', { url: receiver.url, ...extra })
const settledAs = (id: string, status: string) =>
  until(async () => (await bench.statusOf(id)) === status, `${id} ${status}`, bench.describeDeliveries)

test('a webhook is signed by Standard Webhooks and contains the alert', async () => {
  await hook({ secret })
  await bench.alert('al_1', ['hook'], { short: 'x' })
  await bench.start()
  await settledAs('al_1', 'delivered')
  const [got] = receiver.received
  expect(receiver.received).toHaveLength(1)
  const timestamp = String(bench.clock.now().getTime() / 1000)
  const mac = createHmac('sha256', Buffer.alloc(24, 1)).update(`al_1.${timestamp}.${got?.body}`).digest('base64')
  expect(got?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': 'al_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${mac}`,
  })
  const createdAt = bench.clock.now().toISOString()
  expect(JSON.parse(got?.body ?? '')).toEqual({
    type: 'alert',
    id: 'al_1',
    timestamp: createdAt,
    data: {
      id: 'al_1',
      subscription: 's',
      workspace: 'acme',
      project: 'acme.p',
      trigger: 'acme.p.t',
      severity: 'info',
      state: null,
      resolves: null,
      durationMs: null,
      policy: null,
      backfilled: false,
      message: { title: 'Moved', short: 'x' },
      raw: { amount: '12' },
      human: { amount: '1.2' },
      source: 'acme.chain',
      block: { number: 7, hash: '0xb' },
      createdAt,
    },
  })
  expect(await bench.deliveries('al_1')).toMatchObject([{ status: 'delivered', attempts: [{ ok: true, status: 204 }] }])
})

test('a webhook with own headers and an own body is signed over that body', async () => {
  const body =
    '{"text": "{{message.title}}: {{raw.amount}}", "by": "{{data.trigger}} {{type}}", "raw": {{raw}}, "none": {{raw.none}}}'
  await hook({ secret, headers: { 'X-Api-Key': 'k', 'Content-Type': 'application/vnd.ours+json' }, body })
  const title = 'A "quoted"\nline'
  await bench.alert('al_1', ['hook'], { title })
  await bench.start()
  await settledAs('al_1', 'delivered')
  const [got] = receiver.received
  expect(got?.headers).toMatchObject({ 'x-api-key': 'k', 'content-type': 'application/vnd.ours+json' })
  expect(JSON.parse(got?.body ?? '')).toEqual({
    text: `${title}: 12`,
    by: 'acme.p.t alert',
    raw: { amount: '12' },
    none: null,
  })
  const timestamp = String(bench.clock.now().getTime() / 1000)
  const mac = createHmac('sha256', Buffer.alloc(24, 1)).update(`al_1.${timestamp}.${got?.body}`).digest('base64')
  expect(got?.headers['webhook-signature']).toBe(`v1,${mac}`)
})

test('a body that does not render to JSON is not sent, and the delivery says where the error is', async () => {
  await hook({ body: '{"text": {{#if raw.none}}"x"{{/if}} }' })
  await bench.alert('al_1', ['hook'])
  await bench.start()
  await settledAs('al_1', 'failed')
  expect(receiver.received).toEqual([])
  expect(await bench.deliveries('al_1')).toMatchObject([
    { attempts: [{ ok: false, error: 'The body template does not render to JSON: it has an unexpected }.' }] },
  ])
})

test('the webhook of a repeated alert has the id of the alert and the number of the repetition', async () => {
  await hook()
  await bench.alert('al_1', ['hook'], {}, { columns: { state: 'firing' } })
  const { store } = await bench.start()
  await settledAs('al_1', 'delivered')
  for (const repeat of [1, 2]) {
    await store.jobs.wakeLanes(await store.deliveries.addRepeats([{ alertId: 'al_1', repeat }], bench.clock.now()))
    await until(() => receiver.received.length === repeat + 1)
    await settledAs('al_1', 'delivered')
  }
  const bodies = receiver.received.map(({ body }) => JSON.parse(body))
  expect(idsOf()).toEqual(['al_1', 'al_1', 'al_1'])
  expect(bodies.map(({ type, data }) => [type, data.id, data.state, data.repeat])).toEqual([
    ['alert', 'al_1', 'firing', undefined],
    ['alert', 'al_1', 'firing', 1],
    ['alert', 'al_1', 'firing', 2],
  ])
})

test('a base64 secret without its prefix works for receivers that use it as text or as base64', async () => {
  const bare = Buffer.alloc(32, 3).toString('base64')
  await hook({ secret: bare })
  await bench.alert('al_1', ['hook'])
  await bench.start()
  await settledAs('al_1', 'delivered')
  const { headers, body } = receiver.received[0] ?? { headers: {} as Record<string, string>, body: '' }
  const text = `al_1.${headers['webhook-timestamp']}.${body}`
  const macs = [Buffer.from(bare), Buffer.alloc(32, 3)].map((key) => createHmac('sha256', key).update(text))
  expect(headers['webhook-signature']).toBe(macs.map((mac) => `v1,${mac.digest('base64')}`).join(' '))
})

test('after a change of the secret both secrets sign until the old one expires', async () => {
  const until24h = new Date(bench.clock.now().getTime() + hourMs).toISOString()
  await bench.resource('hook', { url: receiver.url, secret: 'new one' }, undefined, {
    formerSecrets: [{ secret: 'old one', until: until24h }],
  })
  const { store } = await bench.start()
  const sign = (key: string) => {
    const { headers, body } = receiver.received.at(-1) ?? { headers: {} as Record<string, string>, body: '' }
    const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    return `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  }
  await bench.alert('al_1', ['hook'])
  await settledAs('al_1', 'delivered')
  expect(receiver.received.at(-1)?.headers['webhook-signature']).toBe(`${sign('new one')} ${sign('old one')}`)
  bench.clock.advance(hourMs)
  await bench.alert('al_2', ['hook'])
  await store.jobs.add('deliver', [{ data: { resourceIds: ['hook'] } }])
  await settledAs('al_2', 'delivered')
  expect(receiver.received.at(-1)?.headers['webhook-signature']).toBe(sign('new one'))
})

test('a receiver that resets the connection gets the alert again with its id; of an answer of 10 MB only the status counts', async () => {
  receiver.answer = () => (receiver.received.length === 1 ? 'cut' : { status: 200, body: 'x'.repeat(10_000_000) })
  await hook()
  await bench.alert('al_1', ['hook'])
  await bench.start()
  await until(async () => (await bench.deliveries('al_1'))[0]?.attempts.length === 1, 'the first attempt')
  const [first] = await bench.deliveries('al_1')
  expect(first).toMatchObject({ status: 'pending', attempts: [{ ok: false, error: expect.any(String) }] })
  bench.clock.advance(retryDelaysMs[0] ?? 0)
  await settledAs('al_1', 'delivered')
  expect(idsOf()).toEqual(['al_1', 'al_1'])
  const [delivered] = await bench.deliveries('al_1')
  expect(delivered?.attempts[1]).toMatchObject({ ok: true, status: 200 })
  expect(JSON.stringify(delivered).length).toBeLessThan(10_000)
})

test('a failing webhook is tried twelve times in about a day, then given up and listed', async () => {
  receiver.answer = () => ({ status: 500 })
  await hook()
  await bench.alert('al_1', ['hook'])
  await bench.start()
  const startedMs = bench.clock.now().getTime()
  for (const [index, delayMs] of retryDelaysMs.entries()) {
    await until(
      async () => ((await bench.deliveries('al_1'))[0]?.attempts.length ?? 0) === index + 1,
      `attempt ${index}`,
    )
    const [row] = await bench.deliveries('al_1')
    expect(row?.status).toBe('pending')
    expect((row?.due_at.getTime() ?? 0) - bench.clock.now().getTime()).toBe(delayMs)
    bench.clock.advance(delayMs)
  }
  await settledAs('al_1', 'failed')
  expect(receiver.received).toHaveLength(12)
  expect(new Set(idsOf())).toEqual(new Set(['al_1']))
  const lastedMs = bench.clock.now().getTime() - startedMs
  expect(lastedMs).toBeGreaterThan(20 * hourMs)
  expect(lastedMs).toBeLessThan(28 * hourMs)
  expect(await bench.deliveries('al_1')).toMatchObject([{ status: 'dead' }])
  const logs = () => bench.query('select kind, status, reason_code, channel, count from trigger_logs')
  const attempts = async () => (await logs()).reduce((sum, { count }) => sum + Number(count), 0)
  // The log counts an attempt after its result is recorded.
  await until(async () => (await attempts()) === 12, 'the log to count every attempt')
  for (const log of await logs())
    expect(log).toMatchObject({
      kind: 'delivery_failure',
      status: 'failed',
      reason_code: 'delivery.http_500',
      channel: 'webhook',
    })
}, 60_000)

test('failed attempts show the answer, and the last one its request, without any secret', async () => {
  const key = 'Bearer topsecretkey'
  const url = `${receiver.url}/verysecretpath?token=querysecret`
  const body = '{"routing_key": "R0UTINGKEY42", "summary": "{{message.title}} by key-in-text-99", "raw": {{raw}}}'
  await hook({ url, secret, headers: { 'X-Api-Key': key }, body })
  receiver.answer = ({ headers }) => ({
    status: 503,
    headers: { 'retry-after': '1', 'set-cookie': 'session=cookiesecret', 'content-type': 'text/plain' },
    body: `no upstream\u0000 for ${headers['x-api-key']} at /hook/verysecretpath ${'x'.repeat(5000)}`,
  })
  await bench.alert('al_1', ['hook'])
  await bench.start()
  const attemptsOf = async () => (await bench.deliveries('al_1'))[0]?.attempts ?? []
  await until(async () => (await attemptsOf()).length === 1)
  bench.clock.advance(retryDelaysMs[0])
  await until(async () => (await attemptsOf()).length === 2)
  const [first, second] = await attemptsOf()
  const timestamp = String(bench.clock.now().getTime() / 1000)
  expect(first).not.toHaveProperty('request')
  expect(second).toMatchObject({
    ok: false,
    status: 503,
    request: {
      method: 'POST',
      url: `${new URL(receiver.url).origin}/…`,
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'al_1',
        'webhook-timestamp': timestamp,
        'webhook-signature': '•••',
        'x-api-key': '•••',
      },
      body: '{"routing_key": "•••", "summary": "Moved by •••", "raw": {"amount":"12"} }',
    },
  })
  for (const attempt of [first, second]) {
    expect(attempt?.response?.headers).toEqual(
      expect.objectContaining({ 'content-type': 'text/plain', 'retry-after': '1' }),
    )
    expect(attempt?.response?.headers).not.toHaveProperty('set-cookie')
    expect(attempt?.response?.body).toMatch(/^no upstream� for •••/)
    expect(attempt?.response?.body).toHaveLength(2048)
    expect(attempt?.response?.isCut).toBe(true)
  }
  const stored = JSON.stringify([await attemptsOf(), await bench.query('select last_attempt from lanes')])
  for (const leak of ['topsecret', 'verysecret', 'querysecret', 'cookiesecret', 'R0UTING', 'key-in-text', secret])
    expect(stored).not.toContain(leak)
})

test('an attempt whose request cannot be shown is recorded, and the delivery is tried again later', async () => {
  await bench.resource('hook', { url: 'no address' })
  await bench.alert('al_1', ['hook'])
  await bench.start()
  await until(async () => (await bench.deliveries('al_1'))[0]?.attempts.length === 1)
  const [attempt] = (await bench.deliveries('al_1'))[0]?.attempts ?? []
  expect(attempt).toMatchObject({ ok: false, error: expect.any(String) })
  expect(attempt).not.toHaveProperty('request')
})

test('a resource shows its health: failing with the last error, then working', async () => {
  receiver.answer = () => ({ status: 500 })
  const id = await hook()
  const { store } = await bench.start()
  const health = async () => {
    const row = await store.resources.lock({ id })
    return row && healthOf(row)
  }
  expect(await health()).toEqual({ state: 'unused' })
  await bench.alert('al_1', ['hook'])
  await store.jobs.add('deliver', [{ data: { resourceIds: ['hook'] } }])
  await until(async () => ((await bench.deliveries('al_1'))[0]?.attempts.length ?? 0) === 1)
  const failedAt = bench.clock.now().toISOString()
  const lastError = expect.stringMatching(/^127\.0\.0\.1:\d+ answered 500\.$/)
  expect(await health()).toEqual({ state: 'failing', failingSince: failedAt, lastError })
  const destination = { resource: expect.stringContaining('hook'), blueprint: 'common.delivery.webhook' }
  expect(await store.alerts.find('al_1', 'a')).toMatchObject({
    status: 'pending',
    retry_error: lastError,
    destinations: [{ ...destination, status: 'pending', isRetrying: true }],
  })
  receiver.answer = () => ({ status: 200 })
  bench.clock.advance(retryDelaysMs[0])
  await settledAs('al_1', 'delivered')
  expect(await health()).toEqual({ state: 'working', lastSuccessAt: bench.clock.now().toISOString() })
  expect(await store.alerts.find('al_1', 'a')).toMatchObject({
    status: 'delivered',
    retry_error: null,
    destinations: [{ ...destination, status: 'delivered', isRetrying: false }],
  })
})

test('a resource whose messages are all refused is failing too, and one that is switched off is off', async () => {
  const id = await bench.resource('hook', { url: 'http://169.254.169.254/' })
  const guarded = openDoor({ allowPrivateNetworks: false })
  const { store } = await bench.start({ destinationDeps: { ...bench.destinationDeps, door: guarded } })
  await bench.alert('al_1', ['hook'])
  await store.jobs.add('deliver', [{ data: { resourceIds: ['hook'] } }])
  await settledAs('al_1', 'failed')
  const row = await store.resources.lock({ id })
  expect(row && healthOf(row)).toMatchObject({ state: 'failing', failingSince: bench.clock.now().toISOString() })
  await store.resources.switchOff(id, 'Switched off', bench.clock.now())
  const off = await store.resources.lock({ id })
  expect(off && healthOf(off)).toMatchObject({ state: 'off' })
  await guarded.close()
})

test('a delivery that is too old is given up at its next attempt', async () => {
  receiver.answer = () => ({ status: 503 })
  await hook()
  await bench.alert('al_1', ['hook'])
  bench.clock.advance(ageMaxMs + 1)
  await bench.start()
  await settledAs('al_1', 'failed')
  expect(receiver.received).toHaveLength(1)
})

test.each([
  [429, '120', 120_000],
  [503, new Date(Date.parse('2030-01-01T00:05:00Z')).toUTCString(), 300_000],
  [503, '1', 5_000],
])('an answer of %i with Retry-After %s is respected, for the whole resource', async (status, header, delayMs) => {
  receiver.answer = () => ({ status, headers: { 'retry-after': header } })
  await hook()
  await bench.alert('al_1', ['hook'])
  const { store } = await bench.start()
  await until(async () => ((await bench.deliveries('al_1'))[0]?.attempts.length ?? 0) === 1)
  const [row] = await bench.deliveries('al_1')
  expect((row?.due_at.getTime() ?? 0) - bench.clock.now().getTime()).toBe(delayMs)
  if (delayMs < 100_000) return
  await bench.alert('al_2', ['hook'])
  await store.jobs.add('deliver', [{ data: { resourceIds: ['hook'] } }])
  await until(
    async () =>
      (await bench.query("select 1 from pgboss.job where name = 'deliver' and state < 'completed'")).length === 0,
  )
  receiver.answer = () => ({ status: 200 })
  expect(receiver.received).toHaveLength(1)
  bench.clock.advance(delayMs)
  await settledAs('al_2', 'delivered')
  await settledAs('al_1', 'delivered')
})

test('a webhook that answers 410 is switched off, its waiting deliveries are given up, and a save and a replay revive them', async () => {
  receiver.answer = () => ({ status: 410 })
  await hook()
  await bench.alert('al_1', ['hook'])
  const { store } = await bench.start()
  await settledAs('al_1', 'failed')
  await bench.alert('al_2', ['hook'])
  await settledAs('al_2', 'failed')
  expect(receiver.received).toHaveLength(1)
  expect(await bench.query('select ready, remark from resources')).toEqual([
    { ready: false, remark: expect.stringMatching(/^Switched off: 127\.0\.0\.1:\d+ answered 410/) },
  ])
  receiver.answer = () => ({ status: 200 })
  await store.resources.setReadiness('hook', { remark: null, confirmedAt: null }, bench.clock.now())
  expect(await sendAgain(store, ['al_2'], { all: false }, bench.clock.now())).toHaveLength(1)
  expect(await bench.statusOf('al_2')).not.toBe('failed')
  await settledAs('al_2', 'delivered')
  expect(idsOf()).toEqual(['al_1', 'al_2'])
  expect((await bench.deliveries('al_2')).map(({ status }) => status)).toEqual(['dead', 'delivered'])
})

test('a resource to which nothing arrives for days is switched off with a remark', async () => {
  receiver.answer = () => ({ status: 502 })
  await hook()
  await bench.alert('al_1', ['hook'])
  const { store } = await bench.start()
  await until(async () => ((await bench.deliveries('al_1'))[0]?.attempts.length ?? 0) === 1)
  bench.clock.advance(71 * hourMs)
  await settledAs('al_1', 'failed')
  expect(await bench.query('select ready from resources')).toEqual([{ ready: true }])
  await bench.alert('al_2', ['hook'])
  bench.clock.advance(hourMs)
  await store.jobs.add('deliver', [{ data: { resourceIds: ['hook'] } }])
  await settledAs('al_2', 'failed')
  expect(await bench.query('select ready, remark from resources')).toEqual([
    { ready: false, remark: expect.stringMatching(/^Switched off: nothing arrived for 3 days\. .* answered 502/) },
  ])
})

test('one success restarts the count of days', async () => {
  await hook()
  receiver.answer = () => ({ status: 502 })
  await bench.alert('al_1', ['hook'])
  await bench.start()
  await until(async () => ((await bench.deliveries('al_1'))[0]?.attempts.length ?? 0) === 1)
  receiver.answer = () => ({ status: 200 })
  bench.clock.advance(5_000)
  await settledAs('al_1', 'delivered')
  expect(await bench.query('select failing_since from lanes')).toEqual([{ failing_since: null }])
})

test('redirects are not followed', async () => {
  receiver.answer = () => ({ status: 302, headers: { location: '/elsewhere' } })
  await hook()
  await bench.alert('al_1', ['hook'])
  await bench.start()
  await until(async () => ((await bench.deliveries('al_1'))[0]?.attempts.length ?? 0) === 1)
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  expect(await bench.deliveries('al_1')).toMatchObject([{ status: 'pending', attempts: [{ ok: false, status: 302 }] }])
})

test('a private address is never called, and the delivery is not retried', async () => {
  const guarded = openDoor({ allowPrivateNetworks: false })
  await hook()
  await bench.alert('al_1', ['hook'])
  await bench.start({ destinationDeps: { ...bench.destinationDeps, door: guarded } })
  await settledAs('al_1', 'failed')
  expect(receiver.received).toEqual([])
  expect(await bench.deliveries('al_1')).toMatchObject([
    { status: 'dead', attempts: [{ ok: false, error: expect.stringContaining('not a public address') }] },
  ])
  await guarded.close()
})

test('if a process dies after it sent and before it recorded, another process sends again with the same id', async () => {
  await hook()
  await bench.alert('al_1', ['hook'])
  const stuck = await bench.start({ crashPoint: (name) => (name === 'deliver.beforeSettle' ? dead : undefined) })
  await until(() => receiver.received.length === 1)
  await bench.query("update lanes set lease_until = now() - interval '1 second', owner = 'killed'")
  await bench.start()
  await settledAs('al_1', 'delivered')
  expect(idsOf()).toEqual(['al_1', 'al_1'])
  void stuck
})

test('a process that lost its lane records nothing', async () => {
  await hook()
  await bench.alert('al_1', ['hook'])
  let go: () => void = () => undefined
  const frozen = new Promise<void>((resolve) => {
    go = resolve
  })
  const { stop } = await bench.start({ crashPoint: (name) => (name === 'deliver.sent' ? frozen : undefined) })
  await until(() => receiver.received.length === 1)
  await bench.query("update lanes set owner = 'another', lease_until = now() + interval '1 hour'")
  go()
  await stop()
  expect(await bench.deliveries('al_1')).toMatchObject([{ status: 'pending', attempts: [] }])
  expect(await bench.query('select owner from lanes')).toEqual([{ owner: 'another' }])
})

test('two processes share many resources and send each message once', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `hook${index}`)
  for (const name of names) await bench.resource(name, { url: `${receiver.url}/${name}` })
  const ids = Array.from({ length: 40 }, (_, index) => `al_${index}`)
  const first = await bench.start()
  await bench.start()
  await bench.alerts(ids, names)
  for (let round = 0; round < 5; round += 1)
    await first.store.jobs.add(
      'deliver',
      names.map((resourceId) => ({ data: { resourceId } })),
    )
  await nothingWaits()
  const seen = receiver.received.map(({ path, headers }) => `${path} ${headers['webhook-id']}`)
  expect(seen).toHaveLength(names.length * ids.length)
  expect(new Set(seen).size).toBe(seen.length)
})

const manyHooks = async (count: number) => {
  const names = Array.from({ length: count }, (_, at) => `hook${at}`)
  for (const name of names) await bench.resource(name, { url: `${receiver.url}/${name}` })
  return names
}
const nothingWaits = () =>
  until(async () => (await bench.query(`select 1 from deliveries where status <> 'delivered' limit 1`)).length === 0)

test('an alert for many webhooks is recorded in few commits, each releasing the lanes that are done', async () => {
  const names = await manyHooks(120)
  await bench.alert('al_1', names)
  let commits = 0
  await bench.start({
    crashPoint: (name) => {
      if (name !== 'deliver.beforeSettle') return undefined
      commits += 1
      // The first commit waits until everything has arrived, so that all others wait for it.
      return commits === 1 ? until(() => receiver.received.length === names.length) : undefined
    },
  })
  await nothingWaits()
  await until(async () => (await bench.query('select 1 from lanes where owner is not null')).length === 0)
  expect(new Set(receiver.received.map(({ path }) => path)).size).toBe(names.length)
  expect(receiver.received).toHaveLength(names.length)
  // A slow machine hands the answers over in more parts.
  expect(commits).toBeLessThan(names.length / 10)
  expect(await bench.query('select 1 from taken_deliveries')).toEqual([])
  expect(await bench.statusOf('al_1')).toBe('delivered')
})

test('webhooks that never answer delay no others', async () => {
  const dead = await manyHooks(70)
  receiver.answer = () => 'silence'
  await bench.alert('al_1', dead)
  await bench.start()
  // The receiver is one host, which gets 64 requests at a time.
  await until(() => receiver.received.length === 64)
  const other = await startReceiver()
  await bench.resource('elsewhere', { url: other.url })
  await bench.alert('al_2', ['elsewhere'])
  await settledAs('al_2', 'delivered')
  expect(receiver.received).toHaveLength(64)
  other.close()
})

test('a lane that waits long for what it takes still sends it', async () => {
  await hook()
  await bench.alert('al_1', ['hook'])
  // With thousands of lanes on a busy machine a take lasts longer than the time after which a lane reads its resource again.
  await bench.start({ crashPoint: (name) => (name === 'deliver.taken' ? pause(2_100) : undefined) })
  await settledAs('al_1', 'delivered')
  expect(idsOf()).toEqual(['al_1'])
})

test('the process that recorded alerts sends them without a job and without a search', async () => {
  await hook()
  await bench.alert('al_0', ['hook'])
  const laneWakes = makeLaneWakes()
  const { stop } = await bench.start({ laneWakes, findDueMs: 3_600_000 })
  await settledAs('al_0', 'delivered')
  await bench.alert('al_1', ['hook'])
  laneWakes.wake(['hook'])
  await settledAs('al_1', 'delivered')
  expect(laneWakes.isListening).toBe(true)
  await stop()
  expect(laneWakes.isListening).toBe(false)
})

test('no wake-up is lost when more resources are woken than lanes may run', async () => {
  await hook()
  await bench.alert('al_0', ['hook'])
  const { store } = await bench.start({ lanesMax: 2, findDueMs: 3_600_000 })
  // The first search for due deliveries is over now, and there is no second one.
  await settledAs('al_0', 'delivered')
  const names = await manyHooks(20)
  await bench.alerts(['al_1'], names)
  await store.jobs.wakeLanes(names)
  await nothingWaits()
  expect(receiver.received).toHaveLength(21)
})

test('a stop frees the lanes and records the deliveries in flight', async () => {
  await hook()
  const ids = Array.from({ length: 500 }, (_, index) => `al_${index}`)
  await bench.alerts(ids, ['hook'])
  const stopping = Promise.withResolvers<void>()
  receiver.answer = async () => {
    if (receiver.received.length > 50) await stopping.promise
    return { status: 200 }
  }
  const { stop } = await bench.start()
  await until(() => receiver.received.length > 50)
  const stopped = stop()
  stopping.resolve()
  await stopped
  expect(await bench.query('select owner from lanes')).toEqual([{ owner: null }])
  const [{ count } = { count: '0' }] = await bench.query<{ count: string }>(
    "select count(*) from deliveries where status = 'delivered'",
  )
  expect(Number(count)).toBe(receiver.received.length)
  expect(Number(count)).toBeLessThan(ids.length)
})

test('a delivery that arrives changes the status of its alert in the same commit', async () => {
  await hook()
  await bench.alert('al_1', ['hook'])
  await bench.alert('al_2', ['hook'])
  expect(await bench.statusOf('al_1')).toBe('pending')
  bench.clock.advance(1_000)
  const { store } = await bench.start()
  await settledAs('al_1', 'delivered')
  await settledAs('al_2', 'delivered')
  const at = bench.clock.now()
  expect(await store.alerts.find('al_1', 'a')).toMatchObject({ status: 'delivered', updated_at: at })
  expect(await bench.query("select 1 from alerts where status <> 'delivered' or updated_at <> $1", [at])).toEqual([])
  expect(await bench.deliveries('al_1')).toMatchObject([{ status: 'delivered', attempts: [{ ok: true, status: 204 }] }])
})

test('an alert that is retracted while its delivery is in flight is corrected after it arrived', async () => {
  await hook()
  await bench.alert('al_1', ['hook'])
  await bench.alert('al_2', ['hook'])
  let go: () => void = () => undefined
  const frozen = new Promise<void>((resolve) => {
    go = resolve
  })
  receiver.answer = async () => {
    await frozen
    return { status: 200 }
  }
  await bench.start()
  await until(() => receiver.received.length === 2)
  await bench.query("update alerts set status = 'retracted', reason = 'Block 7 was replaced.' where id = 'al_1'")
  await bench.query("update deliveries set status = 'dropped' where alert_id = 'al_1'")
  go()
  await until(() => receiver.received.length === 3)
  expect(idsOf().sort()).toEqual(['al_1', 'al_1', 'al_2'])
  expect(JSON.parse(receiver.received[2]?.body ?? '')).toMatchObject({
    type: 'alert.retracted',
    id: 'al_1',
    data: { id: 'al_1', reason: 'Block 7 was replaced.', message: { title: 'Moved' } },
  })
  await until(async () => (await bench.deliveries('al_1')).every(({ status }) => status === 'delivered'))
  expect(await bench.statusOf('al_1')).toBe('retracted')
  await settledAs('al_2', 'delivered')
})

const takeBack = async (store: Store) => {
  const at = bench.clock.now()
  const { delivered } = await store.retractions.retract('acme.chain', { hash: '0xb', incarnation: 0 }, 'Gone.', at)
  await store.deliveries.addRetractions(
    delivered.map(({ id }) => id),
    at,
  )
}
const typesOf = () => receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)

test('a retracted alert is corrected if its process died, because it may have arrived', async () => {
  await hook()
  await bench.alert('al_1', ['hook'])
  const { store } = await bench.start({ crashPoint: (name) => (name === 'deliver.sent' ? dead : undefined) })
  await until(() => receiver.received.length === 1)
  await takeBack(store)
  expect(await bench.deliveries('al_1')).toMatchObject([{ status: 'dropped' }])
  await bench.query("update lanes set lease_until = now() - interval '1 second', owner = 'killed'")
  await bench.start()
  await until(() => receiver.received.length === 2)
  expect(typesOf()).toEqual(['alert', 'alert.retracted'])
  expect(await bench.statusOf('al_1')).toBe('retracted')
})

test('a delivery that may have arrived is corrected, one that was refused is not', async () => {
  await bench.resource('broken', { url: `${receiver.url}/broken` })
  await bench.resource('refusing', { url: `${receiver.url}/refusing` })
  await bench.alert('al_1', ['broken', 'refusing'])
  receiver.answer = ({ path }) => ({ status: path.endsWith('/broken') ? 502 : 404 })
  const { store } = await bench.start()
  await until(async () => (await bench.deliveries('al_1')).every(({ attempts }) => attempts.length === 1))
  receiver.answer = () => ({ status: 200 })
  await takeBack(store)
  await until(async () => (await bench.deliveries('al_1')).some(({ status }) => status === 'delivered'))
  expect(receiver.received.slice(2)).toEqual([expect.objectContaining({ path: expect.stringMatching(/broken$/) })])
  expect(typesOf()[2]).toBe('alert.retracted')
})

test('an alert with two resources is delivered when both deliveries arrived, and failed when one is given up', async () => {
  await hook()
  await bench.resource('gone', { url: receiver.url.replace('/hook', '/gone') })
  receiver.answer = ({ path }) => ({ status: path === '/gone' ? 410 : 200 })
  await bench.alert('al_1', ['hook', 'gone'])
  await bench.alert('al_2', ['hook'])
  await bench.start()
  await settledAs('al_1', 'failed')
  await settledAs('al_2', 'delivered')
})

test('waiting deliveries of a deleted resource are dropped', async () => {
  await hook()
  await bench.alert('al_1', ['hook'])
  await bench.query('delete from resources')
  await bench.start()
  await settledAs('al_1', 'failed')
  expect(await bench.deliveries('al_1')).toMatchObject([{ status: 'dropped' }])
})

test('a replay sends deliveries that were given up, all of them on request, and never one in flight or retracted', async () => {
  await hook()
  await bench.resource('other', { url: receiver.url })
  const store = await bench.openStore()
  await bench.alert('al_1', ['hook', 'other'])
  const replay = async (choice: { all: boolean; resource?: string }) =>
    (await sendAgain(store, ['al_1'], choice, bench.clock.now())).length
  expect(await replay({ all: true })).toBe(0)
  await bench.query("update deliveries set status = case resource_id when 'hook' then 'dead' else 'delivered' end")
  expect(await replay({ all: false, resource: 'acme.other' })).toBe(0)
  expect(await replay({ all: false })).toBe(1)
  expect(await replay({ all: true })).toBe(1)
  expect(await bench.statusOf('al_1')).toBe('pending')
  await bench.query("update deliveries set status = 'delivered'")
  await bench.query("update alerts set status = 'retracted'")
  expect(await replay({ all: true })).toBe(0)
  expect(await bench.deliveries('al_1')).toHaveLength(4)
})

test('a replay does not wait for the next attempt', async () => {
  await hook()
  const store = await bench.openStore()
  await bench.alert('al_1', ['hook'])
  const later = new Date(bench.clock.now().getTime() + 3_600_000)
  await bench.query('update deliveries set due_at = $1, attempts_count = 5', [later])
  await bench.start()
  expect(await sendAgain(store, ['al_1'], { all: false }, bench.clock.now())).toHaveLength(1)
  await settledAs('al_1', 'delivered')
  expect(receiver.received).toHaveLength(1)
})

test('a test is sent once, marked as a test, and recorded nowhere', async () => {
  await hook({ secret })
  const store = await bench.openStore()
  const { destinationDeps: world } = bench
  const context = {
    alertId: 'test_1',
    workspace: 'acme',
    project: 'acme.p',
    trigger: 'acme.p.t',
    severity: 'warning' as const,
    state: null,
    backfilled: false,
    rawJson: '1',
    humanJson: '2',
    createdAt: bench.clock.now(),
  }
  expect(await sendTest({ store, deps: world }, 'hook', { title: 'T' }, context)).toMatchObject({
    kind: 'sent',
    status: 204,
  })
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
    type: 'alert.test',
    id: 'test_1',
    data: { severity: 'warning' },
  })
  expect(await bench.query('select 1 from alerts')).toEqual([])
})

test('trigger logs count successful deliveries', async () => {
  await hook()
  await bench.alerts(['al_1', 'al_2', 'al_3'], ['hook'])
  const { stop } = await bench.start()
  await settledAs('al_3', 'delivered')
  await stop()
  expect(await bench.query('select kind, status, channel, resource, count from trigger_logs')).toEqual([
    { kind: 'delivery', status: 'delivered', channel: 'webhook', resource: 'acme.hook', count: 3 },
  ])
})
