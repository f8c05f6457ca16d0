import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver, until } from './harness/deliveries.ts'
import { houseWithHook } from './harness/house-with-hook.ts'
import {
  customSource,
  type Harness,
  type Person,
  project,
  rejects,
  resource,
  subscription,
  trigger,
} from './harness/index.ts'
import { startEvmNode } from './nodes/evm.ts'

/** `<workspace>.health`: what a workspace relies on stops or works again. */

let house: Harness
let ann: Person
let bob: Person
let receiver: Receiver
let made = 0

beforeAll(async () => {
  ;({ house, ann, receiver } = await houseWithHook({
    project: { accessLevel: 'free', visibility: 'public' },
  }))
  bob = await house.person('bob')
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
/** A live trigger from a core action of the workspace, as the console makes it. */
async function watch(type: string): Promise<string> {
  const { actions } = await ann.listCoreActions()
  const action = actions.find((each) => each.type === type)
  if (!action?.stream) throw new Error(`no action ${type} on a stream`)
  const { inputs, filtersSchema, outputSchema, transform, defaults, stream } = action
  const backend = { type: 'sdk' as const, trigger: `acme.${stream.name}`, values: stream.values }
  const definition = { triggerSpec: null, inputs, filtersSchema, outputSchema, transform, defaults, backend }
  const fullname = await newTrigger(definition)
  await ann.createSubscription({ body: subscription(fullname, { resources: ['acme.hook'] }) })
  return fullname
}
const told = (fullname: string): { raw: Record<string, unknown>; message: { title: string }; severity: string }[] =>
  receiver.received.map(({ body }) => JSON.parse(body).data).filter((data) => data.trigger === fullname)
const titles = (fullname: string) => told(fullname).map(({ message }) => message.title)
const move = (id: string, event: Parameters<Harness['service']['store']['triggerStatuses']['move']>[1]) =>
  house.service.store.triggerStatuses.move(id, event, house.clock.now())

test('a source that stops is told once, not once for each of its triggers, and told again when it answers', async () => {
  const all = await watch('health_changed')
  const nodes = await watch('node_stopped')
  const destinations = await watch('destination_failing')
  const node = await startEvmNode()
  const body = customSource('acme.devnet', { endpoints: [node.url] })
  await ann.saveCustomSource({ fullname: 'acme.devnet', body })
  for (const _ of [1, 2, 3]) {
    const listener = await newTrigger({ triggerSpec: { type: 'evm_log', dataSource: 'acme.devnet' } })
    await ann.createSubscription({ body: subscription(listener) })
  }
  const isRunning = async () => (await ann.getCustomSource({ fullname: 'acme.devnet' })).status.status === 'running'
  await until(isRunning)
  await node.close()
  await until(() => told(all).length === 1)
  const spare = await startEvmNode()
  await ann.saveCustomSource({
    fullname: 'acme.devnet',
    body: { ...body, mode: 'update', endpoints: [spare.url] },
  })
  await until(() => told(all).length === 2)
  expect(titles(all)).toEqual(['Source acme.devnet has stopped', 'Source acme.devnet works again'])
  expect(told(all).map(({ severity }) => severity)).toEqual(['critical', 'info'])
  await until(() => told(nodes).length === 2)
  expect(told(destinations)).toEqual([])
  await spare.close()
})

test('a trigger that breaks and is repaired is told; one that listens to the health is not', async () => {
  const monitors = await watch('monitor_stopped')
  const subject = await newTrigger()
  const { id } = await ann.getTrigger({ fullname: subject })
  const { id: own } = await ann.getTrigger({ fullname: monitors })
  await move(own, { kind: 'runs_failed', issue: 'it threw' })
  await move(id, { kind: 'runs_failed', issue: 'it threw' })
  await move(id, { kind: 'run_succeeded' })
  await until(() => told(monitors).length === 2)
  const alerts = await ann.listAlerts({ query: { trigger: monitors } })
  const outputs = await Promise.all(alerts.map(({ id }) => ann.getAlert({ id })))
  expect(outputs.map(({ output }) => output.raw)).toMatchObject([
    { type: 'trigger', name: subject, status: 'ready', previousStatus: 'broken', severity: 'info' },
    { type: 'trigger', name: subject, status: 'broken', severity: 'critical', message: 'it threw' },
  ])
})

test('a destination that fails is told once, and once when messages arrive again', async () => {
  const destinations = await watch('destination_failing')
  const broken = await startReceiver()
  broken.answer = () => ({ status: 500 })
  await ann.saveResource({ fullname: 'acme.broken', body: resource('acme.broken', { data: { url: broken.url } }) })
  const ticking = await newTrigger({ triggerSpec: { type: 'timer', interval: '10s' }, defaults: { title: 'Tick' } })
  await ann.createSubscription({ body: subscription(ticking, { resources: ['acme.broken'] }) })
  await until(() => {
    house.clock.advance(10_000)
    return told(destinations).length === 1
  }, 'the failure')
  broken.answer = () => ({ status: 204 })
  await until(() => {
    house.clock.advance(10_000)
    return told(destinations).length === 2
  }, 'the recovery')
  expect(titles(destinations)).toEqual(['Destination acme.broken is failing', 'Destination acme.broken works again'])
  broken.close()
})

test('only developers of the workspace may subscribe to its health, and only while they are', async () => {
  const monitors = await watch('monitor_stopped')
  await bob.saveWorkspace({ fullname: 'bobs', body: { fullname: 'bobs' } })
  const body = { ...subscription(monitors), workspace: 'bobs' }
  await rejects(bob.createSubscription({ body }), { code: 'not_found' })
  const { invite } = await ann.getWorkspace({ fullname: 'acme' })
  await bob.joinWorkspace({ workspace: 'acme', body: { invite: invite ?? '' } })
  await rejects(bob.createSubscription({ body }), { code: 'forbidden' })
  await setLevel('developer')
  const { id } = await bob.createSubscription({ body })
  const subject = await newTrigger()
  const { id: subjectId } = await ann.getTrigger({ fullname: subject })
  await move(subjectId, { kind: 'runs_failed', issue: 'first' })
  await until(async () => (await bob.listAlerts({ query: { subscription: id } })).length === 1)
  await setLevel('user')
  await move(subjectId, { kind: 'run_succeeded' })
  await until(() => told(monitors).length === 2)
  expect(await bob.listAlerts({ query: { subscription: id } })).toHaveLength(1)
})

test('a trigger of another workspace cannot listen to the health', async () => {
  await bob.saveProject({ fullname: 'bobs.p', body: project('bobs.p') })
  const backend = { type: 'sdk' as const, trigger: 'acme.health' }
  const { status } = await bob.saveTrigger({
    fullname: 'bobs.p.spy',
    body: trigger('bobs.p.spy', { triggerSpec: null, backend }),
  })
  expect(status).toMatchObject({ status: 'broken', issue: 'there is no stream "acme.health" that you may read' })
})

test('a second subscription to the same is saved with an issue that names the first', async () => {
  const fullname = await newTrigger()
  const body = subscription(fullname, { resources: ['acme.hook'] })
  const first = await ann.createSubscription({ body })
  expect(first.issue).toBeUndefined()
  const second = await ann.createSubscription({ body: { ...body, inputs: {} } })
  expect(second.issue).toContain(first.id)
  const other = { ...body, policy: { type: 'throttle', per: '1h' } as const }
  expect((await ann.createSubscription({ body: other })).issue).toBeUndefined()
})

async function setLevel(level: 'user' | 'developer'): Promise<void> {
  const acl = await ann.listAcl({ workspace: 'acme' })
  const member = acl.find(({ user }) => user.id === bob.id)
  if (!member) throw new Error('bob is no member')
  await ann.saveAclEntry({ workspace: 'acme', entryId: member.id, body: { level } })
}
