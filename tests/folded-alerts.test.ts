import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Receiver } from './harness/deliveries.ts'
import { until } from './harness/following.ts'
import { houseWithHook } from './harness/house-with-hook.ts'
import { customSource, type Harness, type Person, resource, subscription, trigger } from './harness/index.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'

let house: Harness
let ann: Person
let receiver: Receiver
let node: EvmNode

beforeAll(async () => {
  ;({ house, ann, receiver } = await houseWithHook())
  node = await startEvmNode()
  await ann.saveCustomSource({ fullname: 'acme.evm', body: customSource('acme.evm', { endpoints: [node.url] }) })
  const slack = { blueprint: 'common.delivery.slack', data: { url: `${receiver.url}/slack` } } as const
  await ann.saveResource({ fullname: 'acme.slack', body: resource('acme.slack', slack) })
})
afterAll(async () => {
  await house.close()
  receiver.close()
  await node.close()
})

test('thirty alerts of one block are one message in a chat and thirty at a webhook, and each says which alert told it', async () => {
  const triggerSpec = { type: 'evm_log', dataSource: 'acme.evm' } as const
  const transform = { source: '({ outputs: Array.from({ length: 30 }, (_, n) => ({ raw: { n } })) })' }
  await ann.saveTrigger({ fullname: 'acme.p.many', body: trigger('acme.p.many', { triggerSpec, transform }) })
  const body = subscription('acme.p.many', { resources: ['acme.hook', 'acme.slack'] })
  const { id } = await ann.createSubscription({ body })
  await until(
    () => ann.getCustomSource({ fullname: 'acme.evm' }),
    ({ runtime }) => runtime?.processedBlock !== undefined,
  )
  await node.emit([`0x${'7'.repeat(64)}`])
  const alerts = await until(
    () => ann.listAlerts({ query: { subscription: id, status: 'delivered' } }),
    ({ length }) => length === 30,
  )
  const traces = await Promise.all(alerts.map((alert) => ann.getAlert({ id: alert.id })))
  const inChat = traces.map(({ id, deliveries }) => ({
    alert: id,
    ...deliveries.find((one) => one.resource === 'acme.slack')!,
  }))
  const [carrier] = inChat.filter(({ foldedCount }) => foldedCount !== undefined)
  expect(carrier).toMatchObject({ status: 'delivered', foldedCount: 29, attempts: [{ ok: true }] })
  const others = inChat.filter(({ alert }) => alert !== carrier?.alert)
  for (const other of others)
    expect(other).toMatchObject({ status: 'delivered', foldedInto: carrier?.alert, attempts: [] })
  const sentTo = (path: string) => receiver.received.filter((request) => request.path === path)
  expect([sentTo('/hook').length, sentTo('/hook/slack').length]).toEqual([30, 1])
  const { blocks } = JSON.parse(sentTo('/hook/slack')[0]!.body)
  expect(blocks[0].text.text).toBe('30 alerts of acme.p.many')
  expect(blocks[2].text.text).toContain(`/w/acme/alerts?subscription=${id}|Show the alerts>`)
})
