import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Receiver } from './harness/deliveries.ts'
import { until } from './harness/following.ts'
import { houseWithHook } from './harness/house-with-hook.ts'
import { customSource, type Harness, type Person, subscription, trigger } from './harness/index.ts'
import { rejects } from './harness/rejects.ts'
import { anchorHash } from './nodes/connected-solana.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'
import { type Call, faultyEndpoint } from './nodes/faulty-endpoint.ts'
import { startSolana } from './nodes/solana.ts'

/** Alerts wait until their block is as final as the subscription wants. A real node, whose safe and finalized tags the test sets. */
let house: Harness
let ann: Person
let receiver: Receiver
let node: EvmNode
let proxy: Awaited<ReturnType<typeof faultyEndpoint>>
/** The blocks behind the tags; a tag that is absent is an error of the node. */
let tags: { safe?: number; finalized?: number }
/** The tags that the service has asked for in this test. */
let asked: string[]
const topic = `0x${'7'.repeat(64)}`
const source = 'acme.evm'

beforeAll(async () => {
  ;({ house, ann, receiver } = await houseWithHook())
  node = await startEvmNode()
  proxy = await faultyEndpoint(node.url, answerTag)
  await ann.saveCustomSource({ fullname: source, body: customSource(source, { endpoints: [proxy.url] }) })
  const triggerSpec = { type: 'evm_log', dataSource: source } as const
  await ann.saveTrigger({ fullname: 'acme.p.logs', body: trigger('acme.p.logs', { triggerSpec }) })
  await until(
    () => ann.getCustomSource({ fullname: source }),
    ({ runtime }) => runtime?.processedBlock !== undefined,
  )
})
beforeEach(() => {
  tags = { safe: 0, finalized: 0 }
  asked = []
})
afterAll(async () => {
  await house.close()
  receiver.close()
  await proxy.close()
  await node.close()
})

async function answerTag({ method, params: [tag] }: Call) {
  if (method !== 'eth_getBlockByNumber' || (tag !== 'safe' && tag !== 'finalized')) return undefined
  asked.push(tag)
  const number = tags[tag]
  if (number === undefined) return { error: { code: -32602, message: `invalid block tag ${tag}` } }
  return { result: await node.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]) }
}

type Delivery = NonNullable<Parameters<typeof subscription>[1]>['delivery']

/** Subscribes, emits a log, and returns the alert's id and block while it waits. */
async function waitingAlert(delivery: Delivery) {
  const body = subscription('acme.p.logs', { resources: ['acme.hook'], delivery })
  const { id: subscriptionId } = await ann.createSubscription({ body })
  await node.emit([topic])
  const [alert] = await until(
    () => ann.listAlerts({ query: { subscription: subscriptionId, status: 'waiting' } }),
    (alerts) => alerts.length > 0,
  )
  return { id: alert!.id, block: alert!.block!.number, alert: alert!, subscriptionId }
}
const statusOf = async (id: string) => (await ann.getAlert({ id })).status
const becomes = (id: string, wanted: string) =>
  until(
    () => statusOf(id),
    (status) => status === wanted,
  )
const sentCount = (id: string) => receiver.received.filter(({ body }) => JSON.parse(body).data.id === id).length
const processed = async (number: number) =>
  until(
    () => ann.getCustomSource({ fullname: source }),
    ({ runtime }) => (runtime?.processedBlock ?? 0) >= number,
  )
const mine = () => node.request('evm_mine')

test('an alert waits until so many blocks stand on its block, and is then sent once', async () => {
  const { id, block, alert, subscriptionId } = await waitingAlert({ finality: { confirmations: 2 } })
  expect(alert).toMatchObject({ hasDeliveries: true, reason: `Waits until 2 blocks follow block ${block}.` })
  const { delivery } = await ann.getSubscription({ id: subscriptionId })
  expect(delivery).toEqual({ finality: { confirmations: 2 } })
  await mine()
  await processed(block + 1)
  const { status, deliveries } = await ann.replayAlert({ id, body: { all: true } })
  expect([status, deliveries[0]?.status, sentCount(id)]).toEqual(['waiting', 'waiting', 0])
  await mine()
  await becomes(id, 'delivered')
  expect((await ann.getAlert({ id })).reason).toBeUndefined()
  expect(sentCount(id)).toBe(1)
  await ann.deleteSubscription({ id: subscriptionId })
})

test.each(['safe', 'finalized'] as const)('an alert waits for the %s tag of the node', async (finality) => {
  const { id, block, subscriptionId } = await waitingAlert({ mode: 'continuous', finality })
  tags[finality] = block - 1
  await mine()
  await mine()
  await processed(block + 2)
  expect([await statusOf(id), sentCount(id)]).toEqual(['waiting', 0])
  tags[finality] = block
  await mine()
  await becomes(id, 'delivered')
  expect(sentCount(id)).toBe(1)
  await ann.deleteSubscription({ id: subscriptionId })
})

test('an alert whose block goes away while it waits is retracted and never sent', async () => {
  const snapshot = await node.request('evm_snapshot')
  const { id, block, subscriptionId } = await waitingAlert({ finality: { confirmations: 3 } })
  await node.request('evm_revert', [snapshot])
  for (let at = 0; at < 5; at += 1) await mine()
  await becomes(id, 'retracted')
  await processed(block + 4)
  const { deliveries } = await ann.getAlert({ id })
  expect(deliveries.map(({ status, kind }) => [kind, status])).toEqual([['alert', 'dropped']])
  expect(sentCount(id)).toBe(0)
  await ann.deleteSubscription({ id: subscriptionId })
})

test('with a node without the tags the alert and the log of the source say why nothing is sent', async () => {
  tags = {}
  const { id, subscriptionId } = await waitingAlert({ finality: 'finalized' })
  const { reason } = await until(
    () => ann.getAlert({ id }),
    (alert) => alert.reason?.includes('does not report') === true,
  )
  expect(reason).toBe(
    'Waits until its block is finalized, but the node of the source "acme.evm" does not report finalized blocks.',
  )
  // The log is written after the alert.
  const told = await until(
    async () => {
      const { entries } = await ann.getCustomSourceLogs({ fullname: source, query: { level: 'warn' } })
      return entries.filter(({ message }) => message.includes('does not report finalized blocks'))
    },
    (found) => found.length > 0,
  )
  expect(told).toHaveLength(1)
  tags = { finalized: Number(await node.request('eth_blockNumber')) }
  await mine()
  await becomes(id, 'delivered')
  await ann.deleteSubscription({ id: subscriptionId })
})

test('a source without waiting alerts is asked for no tag', async () => {
  const { id } = await ann.createSubscription({ body: subscription('acme.p.logs', { delivery: { finality: 'safe' } }) })
  for (let at = 0; at < 3; at += 1) await mine()
  await processed(Number(await node.request('eth_blockNumber')))
  expect(asked).toEqual([])
  await ann.deleteSubscription({ id })
})

test('a Solana alert waits for the finalized slot, and confirmations are blocks, not slots', async () => {
  const double = await startSolana()
  double.produceBlock()
  let finalizedSlot = 0
  const held = await faultyEndpoint(double.url, ({ method, params: [options] }) =>
    method === 'getSlot' && JSON.stringify(options).includes('finalized') ? { result: finalizedSlot } : undefined,
  )
  await ann.saveCustomSource({
    fullname: 'acme.solana',
    body: customSource('acme.solana', { kind: 'solana', endpoints: [held.url] }),
  })
  const triggerSpec = { type: 'solana_event', dataSource: 'acme.solana', programId: double.emitter } as const
  await ann.saveTrigger({ fullname: 'acme.p.solana', body: trigger('acme.p.solana', { triggerSpec }) })
  const finalities = [{ confirmations: 2 }, 'safe', 'finalized'] as const
  const ids = await Promise.all(
    finalities.map(async (finality) => {
      const body = subscription('acme.p.solana', { resources: ['acme.hook'], delivery: { finality } })
      return (await ann.createSubscription({ body })).id
    }),
  )
  await until(
    () => ann.getCustomSource({ fullname: 'acme.solana' }),
    ({ runtime }) => runtime?.processedBlock !== undefined,
  )
  await double.emit({ by: 'log' }, anchorHash('event:Bought'))
  double.produceBlock()
  const statuses = async () =>
    (await Promise.all(ids.map((id) => ann.listAlerts({ query: { subscription: id } })))).map(([one]) => one?.status)
  const become = (wanted: string[]) => until(statuses, (seen) => JSON.stringify(seen) === JSON.stringify(wanted))
  await become(['waiting', 'delivered', 'waiting'])
  const slot = double.produceBlock(3)
  await until(
    () => ann.getCustomSource({ fullname: 'acme.solana' }),
    ({ runtime }) => runtime?.processedBlock === slot,
  )
  expect(await statuses()).toEqual(['waiting', 'delivered', 'waiting'])
  double.produceBlock()
  await become(['delivered', 'delivered', 'waiting'])
  finalizedSlot = slot
  double.produceBlock()
  await become(['delivered', 'delivered', 'delivered'])
  await held.close()
  await double.close()
})

test('a finality that cannot be is refused with its path, and nothing is saved', async () => {
  const timer = trigger('acme.p.timer', { triggerSpec: { type: 'timer', interval: '1h' } })
  await ann.saveTrigger({ fullname: 'acme.p.timer', body: timer })
  const isRefused = (work: Promise<unknown>, path: string) =>
    rejects(work, {
      code: 'invalid_payload',
      details: { issues: [{ path: expect.stringMatching(new RegExp(`^${path}`)) }] },
    })
  const subscribe = (name: string, delivery: unknown) =>
    ann.createSubscription({ body: subscription(`acme.p.${name}`, { delivery: delivery as Delivery }) })
  for (const finality of [{ confirmations: 0 }, { confirmations: 1001 }, 'sure', {}, null])
    await isRefused(subscribe('logs', { finality }), 'delivery.finality')
  await isRefused(subscribe('logs', {}), 'delivery.mode')
  await isRefused(subscribe('timer', { finality: 'safe' }), 'delivery.finality')
  const body = { ...timer, defaults: { delivery: { finality: 'safe' as const } } }
  await isRefused(ann.saveTrigger({ fullname: 'acme.p.timer', body }), 'defaults.delivery.finality')
  expect(await ann.listSubscriptions({ query: { trigger: 'acme.p.timer' } })).toEqual([])
})
