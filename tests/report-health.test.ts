import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DeliveryBench, deliveryBench, type Receiver, startReceiver, until } from './harness/deliveries.ts'

/** `notifyOnFailure`: a resource that fails is reported to another one, once per failure. */

let bench: DeliveryBench
let hook: Receiver
let pager: Receiver
let dead: Promise<void>
let release: () => void
beforeEach(async () => {
  dead = new Promise((resolve) => {
    release = resolve
  })
  bench = await deliveryBench()
  hook = await startReceiver()
  pager = await startReceiver()
  await bench.resource('hook', { url: hook.url })
  await bench.resource('pager', { url: pager.url })
  await notify('hook', 'pager')
})
afterEach(async () => {
  release()
  hook.close()
  pager.close()
  await bench.close()
})

const hourMs = 3_600_000
const notify = (from: string, to: string | null) =>
  bench.query('update resources set notify_resource_id = $2 where id = $1', [from, to])
const titlesAt = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body).data.message.title)
const reports = () =>
  bench.query<{ message: { title: string } }>(
    "select message from alerts where kind = 'health' order by message->>'title'",
  )
const fail = () => ({ status: 500 })
const attemptsOf = async (alertId: string) => (await bench.deliveries(alertId))[0]?.attempts.length ?? 0
const delivered = (alertId: string) =>
  until(async () => (await bench.statusOf(alertId)) === 'delivered', `${alertId} delivered`, bench.describeDeliveries)
const lastsFor = (attempts: number, alertId: string) =>
  until(async () => {
    bench.clock.advance(60_000)
    return (await attemptsOf(alertId)) >= attempts
  }, `${attempts} attempts`)

test('a failing resource is reported once, and once more when it works again', async () => {
  hook.answer = fail
  await bench.alert('al_1', ['hook'])
  await bench.start()
  await lastsFor(2, 'al_1')
  await until(() => pager.received.length === 1, 'the report')
  await lastsFor(4, 'al_1')
  hook.answer = () => ({ status: 204 })
  bench.clock.advance(hourMs)
  await delivered('al_1')
  await until(() => pager.received.length === 2, 'the second report')
  await bench.alert('al_2', ['hook'])
  await delivered('al_2')
  expect(titlesAt(pager)).toEqual(['acme.hook is failing', 'acme.hook works again'])
  const [first] = pager.received.map(({ body }) => JSON.parse(body).data)
  expect(first).toMatchObject({ trigger: 'acme.hook.events', severity: 'warning', workspace: 'acme' })
  expect(first.message.short).toMatch(/^Deliveries to acme.hook fail. Last error: .* answered 500/)
  expect(first.raw).toMatchObject({ type: 'status', resource: 'acme.hook', status: 'failing' })
  expect(first.subscription).toBeUndefined()
  expect(await reports()).toHaveLength(2)
})

test('one failed attempt is not reported if the next one arrives', async () => {
  hook.answer = fail
  await bench.alert('al_1', ['hook'])
  await bench.start()
  await until(async () => (await attemptsOf('al_1')) === 1, 'the first attempt')
  hook.answer = () => ({ status: 204 })
  bench.clock.advance(hourMs)
  await delivered('al_1')
  expect(await reports()).toEqual([])
})

test('a second failure is reported again', async () => {
  await bench.start()
  for (const round of [1, 2]) {
    hook.answer = fail
    await bench.alert(`al_${round}`, ['hook'])
    await lastsFor(2, `al_${round}`)
    await until(() => pager.received.length === 2 * round - 1, 'failing')
    hook.answer = () => ({ status: 204 })
    bench.clock.advance(hourMs)
    await until(() => pager.received.length === 2 * round, 'working')
  }
  expect(titlesAt(pager).slice(2)).toEqual(['acme.hook is failing', 'acme.hook works again'])
})

test('a process that dies before or after it recorded a failure, and a second process, cause no second report', async () => {
  hook.answer = fail
  await bench.alert('al_1', ['hook'])
  let settled = 0
  await bench.start({ crashPoint: (name) => (name === 'deliver.beforeSettle' ? dead : undefined) })
  await until(() => hook.received.length === 1, 'the first attempt')
  expect(await reports()).toEqual([])
  await bench.query("update lanes set lease_until = now() - interval '1 second', owner = 'killed'")
  await bench.start({
    crashPoint: (name) => (name === 'deliver.afterSettle' && ++settled === 2 ? dead : undefined),
  })
  await lastsFor(2, 'al_1')
  await until(async () => (await reports()).length === 1, 'the report')
  await bench.query("update lanes set lease_until = now() - interval '1 second', owner = 'killed'")
  await bench.start()
  await bench.start()
  await lastsFor(3, 'al_1')
  await until(() => pager.received.length >= 1, 'the report arrives')
  expect(await reports()).toHaveLength(1)
  expect(new Set(pager.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('resources that report each other do not report failed reports', async () => {
  await notify('pager', 'hook')
  hook.answer = fail
  pager.answer = fail
  await bench.alert('al_1', ['hook'])
  await bench.start()
  await lastsFor(2, 'al_1')
  await until(() => pager.received.length >= 1, 'the report is tried')
  await lastsFor(4, 'al_1')
  expect((await reports()).map(({ message }) => message.title)).toEqual(['acme.hook is failing'])
  // An alert that the pager misses is a failure of its own.
  await bench.alert('al_2', ['pager'])
  await lastsFor(2, 'al_2')
  expect((await reports()).map(({ message }) => message.title)).toEqual([
    'acme.hook is failing',
    'acme.pager is failing',
  ])
})

test('a message that is refused is reported, a rate limit is not, and nothing is without a resource to tell', async () => {
  hook.answer = () => ({ status: 429, headers: { 'retry-after': '30' } })
  await bench.alert('al_1', ['hook'])
  await bench.start()
  await lastsFor(1, 'al_1')
  expect(await reports()).toEqual([])
  await notify('hook', null)
  hook.answer = fail
  await lastsFor(2, 'al_1')
  expect(await reports()).toEqual([])
  await notify('hook', 'pager')
  hook.answer = () => ({ status: 400 })
  bench.clock.advance(hourMs)
  await until(() => pager.received.length === 1, 'the report')
  expect(titlesAt(pager)).toEqual(['acme.hook is failing'])
})

test('a resource that moved to another workspace reports nothing to its former one', async () => {
  await bench.query(
    `insert into workspaces (id, fullname, invite, invite_hash, tags, labels, meta, created_at, updated_at)
     values ('w2', 'other', '', 'x', '[]', '{}', '{}', now(), now())`,
  )
  await bench.query("update resources set workspace_id = 'w2' where id = 'hook'")
  hook.answer = fail
  await bench.alert('al_1', ['hook'])
  await bench.start()
  await lastsFor(2, 'al_1')
  expect(await reports()).toEqual([])
})
