import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, until } from './harness/deliveries.ts'
import { houseWithHook } from './harness/house-with-hook.ts'
import { customSource, type Harness, type Person, project, rejects, subscription, trigger } from './harness/index.ts'
import { startEvmNode } from './nodes/evm.ts'

/** Status changes of triggers and sources are streams (`<trigger>.events`) that other triggers can listen to. */

let house: Harness
let ann: Person
let receiver: Receiver
let made = 0

beforeAll(async () => {
  ;({ house, ann, receiver } = await houseWithHook())
})
afterAll(async () => {
  await house.close()
  receiver.close()
})

type Extra = Parameters<typeof trigger>[1]
async function newTrigger(extra: Extra = {}): Promise<string> {
  const fullname = `acme.p.t${++made}`
  await ann.saveTrigger({ fullname, body: trigger(fullname, extra) })
  return fullname
}
/** A trigger on the health of another trigger, with a subscription. */
async function watch(subject: string, extra: Extra = {}): Promise<string> {
  const listening = { triggerSpec: null, backend: { type: 'sdk' as const, trigger: `${subject}.events` } }
  const fullname = await newTrigger({ ...listening, defaults: { title: 'Health' }, ...extra })
  await ann.createSubscription({ body: subscription(fullname, { resources: ['acme.hook'] }) })
  return fullname
}
const setStatus = (fullname: string, status: 'ready' | 'broken' | 'not_tested', issue?: string) =>
  ann.saveTrigger({ fullname, body: trigger(fullname, { status: { status, ...(issue && { issue }) } }) })
/** The raw outputs that the webhook received from a trigger. */
const told = (fullname: string): Record<string, unknown>[] =>
  receiver.received
    .map(({ body }) => JSON.parse(body).data)
    .filter((data) => data.trigger === fullname)
    .map(({ raw }) => raw)

test('a test result and an edit of a trigger arrive at the webhook, once each and in order', async () => {
  const subject = await newTrigger()
  const watcher = await watch(subject)
  expect((await ann.getTrigger({ fullname: watcher })).status.status).toBe('not_tested')
  await setStatus(subject, 'broken', 'it does not fit')
  await until(() => told(watcher).length === 1)
  await setStatus(subject, 'ready')
  await until(() => told(watcher).length === 2)
  await ann.saveTrigger({
    fullname: subject,
    body: trigger(subject, { triggerSpec: { type: 'timer', interval: '2m' } }),
  })
  await until(() => told(watcher).length === 3)
  const common = { type: 'status', trigger: subject }
  expect(told(watcher)).toMatchObject([
    { ...common, previousStatus: 'not_tested', status: 'broken', issue: 'it does not fit', source: 'test' },
    { ...common, previousStatus: 'broken', status: 'ready', source: 'test' },
    { ...common, previousStatus: 'ready', status: 'not_tested', source: 'edit' },
  ])
})

test('status changes by runs and by dependencies are events too', async () => {
  const feeder = await newTrigger()
  const subject = await newTrigger({ triggerSpec: null, backend: { type: 'sdk', trigger: feeder } })
  const watcher = await watch(subject)
  const { id } = await ann.getTrigger({ fullname: subject })
  await house.service.store.triggerStatuses.move(id, { kind: 'runs_failed', issue: 'it threw' }, house.clock.now())
  await until(() => told(watcher).length === 1)
  await house.service.store.triggerStatuses.move(id, { kind: 'run_succeeded' }, house.clock.now())
  await until(() => told(watcher).length === 2)
  await ann.deleteTrigger({ fullname: feeder })
  await until(() => told(watcher).length === 3)
  expect(told(watcher)).toMatchObject([
    { status: 'broken', reasonCode: 'trigger.runtime_error', source: 'runtime', issue: 'it threw' },
    { status: 'ready', previousStatus: 'broken', source: 'runtime' },
    { status: 'broken', source: 'dependency', reasonCode: 'trigger.source_unavailable' },
  ])
})

test('the failure of a source is sent to the webhook, and so is a simulated recovery', async () => {
  const node = await startEvmNode()
  const source = customSource('acme.devnet', { endpoints: [node.url] })
  await ann.saveCustomSource({ fullname: 'acme.devnet', body: source })
  const listener = await newTrigger({ triggerSpec: { type: 'evm_log', dataSource: 'acme.devnet' } })
  await ann.createSubscription({ body: subscription(listener) })
  const watcher = await watch('acme.devnet')
  const isRunning = async () => (await ann.getCustomSource({ fullname: 'acme.devnet' })).status.status === 'running'
  await until(isRunning)
  await node.close()
  await until(() => told(watcher).length === 1)
  await ann.testCustomSourceStatus({ fullname: 'acme.devnet', body: { type: 'recovered' } })
  await until(() => told(watcher).length === 2)
  expect(told(watcher)).toMatchObject([
    { type: 'error', source: 'acme.devnet', previousStatus: 'running', severity: 'error' },
    { type: 'recovered', source: 'acme.devnet' },
  ])
})

test('the values of the backend select the changes', async () => {
  const subject = await newTrigger()
  const listening = { type: 'sdk' as const, trigger: `${subject}.events`, values: { status: 'broken' } }
  const watcher = await watch(subject, { backend: listening })
  await setStatus(subject, 'ready')
  await setStatus(subject, 'broken')
  await until(() => told(watcher).length === 1)
  expect(told(watcher)).toMatchObject([{ status: 'broken', previousStatus: 'ready' }])
})

test('health events are not outputs, and outputs are not health events', async () => {
  const subject = await newTrigger({ triggerSpec: { type: 'timer', interval: '10s' } })
  const watcher = await watch(subject)
  const taker = await newTrigger({
    triggerSpec: null,
    backend: { type: 'sdk', trigger: subject },
    defaults: { title: 'Tick' },
  })
  await ann.createSubscription({ body: subscription(taker, { resources: ['acme.hook'] }) })
  await until(() => {
    house.clock.advance(2_000)
    return told(taker).length > 0
  }, 'an output')
  // The first run changes the status too.
  await until(() => told(watcher).length === 1)
  expect(told(watcher)).toMatchObject([{ previousStatus: 'not_tested', status: 'ready', source: 'runtime' }])
  const outputs = told(taker).length
  await ann.saveTrigger({
    fullname: subject,
    body: trigger(subject, { triggerSpec: { type: 'timer', interval: '10s' }, status: { status: 'broken' } }),
  })
  await until(() => told(watcher).length === 2)
  expect(
    told(taker)
      .slice(0, outputs)
      .every((raw) => raw.type !== 'status'),
  ).toBe(true)
})

test('a trigger on its own health gets no events about itself', async () => {
  const fullname = `acme.p.t${++made}`
  const body = {
    triggerSpec: null,
    backend: { type: 'sdk' as const, trigger: `${fullname}.events` },
    defaults: { title: 'Me' },
  }
  await ann.saveTrigger({ fullname, body: trigger(fullname, body) })
  await ann.createSubscription({ body: subscription(fullname, { resources: ['acme.hook'] }) })
  const watcher = await watch(fullname)
  await ann.saveTrigger({ fullname, body: trigger(fullname, { ...body, status: { status: 'ready' } }) })
  await until(() => told(watcher).length > 0)
  expect(told(fullname)).toEqual([])
})

test('the health of a private trigger is visible only in its workspace', async () => {
  const subject = await newTrigger()
  const eve = await house.person('eve')
  await eve.saveWorkspace({ fullname: 'rival', body: { fullname: 'rival' } })
  await eve.saveProject({ fullname: 'rival.p', body: project('rival.p') })
  const fullname = 'rival.p.spy'
  const backend = { type: 'sdk' as const, trigger: `${subject}.events` }
  const saved = await eve.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec: null, backend }) })
  expect(saved.status).toMatchObject({ status: 'broken', reasonCode: 'trigger.source_missing' })
  await eve.createSubscription({ body: subscription(fullname) })
  const watcher = await watch(subject)
  await setStatus(subject, 'ready')
  await until(() => told(watcher).length === 1)
  expect(await eve.listAlerts({})).toEqual([])
  await rejects(eve.getTrigger({ fullname: subject }), { code: 'not_found' })
})

test('deleting a trigger breaks the triggers on its health, and a new trigger of that name repairs them', async () => {
  const subject = await newTrigger()
  const watcher = await watch(subject)
  await ann.deleteTrigger({ fullname: subject })
  expect((await ann.getTrigger({ fullname: watcher })).status).toMatchObject({ status: 'broken', source: 'dependency' })
  await ann.saveTrigger({ fullname: subject, body: trigger(subject) })
  expect((await ann.getTrigger({ fullname: watcher })).status.status).toBe('not_tested')
  await setStatus(subject, 'ready')
  await until(() => told(watcher).length === 1)
})

test('a change without listeners writes no rows', async () => {
  const subject = await newTrigger()
  await setStatus(subject, 'ready')
  await until(async () => (await house.service.store.triggerEvents.list(10)).length === 0)
})
