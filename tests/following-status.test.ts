import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Following, follow, query, queued, until } from './harness/following.ts'
import { customSource, type Harness, harness, type Person, project, resource, trigger } from './harness/index.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'

/** The status of a source when its node fails and recovers, and the triggers and subscribers that it affects. */
let house: Harness
let ann: Person
let node: EvmNode
let door: Server
let url: string
let isShut = false
let following: Following

beforeAll(async () => {
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  await ann.saveResource({ fullname: 'acme.hook', body: resource('acme.hook') })
  node = await startEvmNode()
  door = createServer(async (request, response) => {
    if (isShut) return void response.writeHead(503).end('closed')
    const body = Buffer.concat(await request.toArray())
    const answer = await fetch(node.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    response.setHeader('content-type', 'application/json').end(await answer.text())
  }).listen(0, '127.0.0.1')
  await until(async () => door.listening, Boolean)
  url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
  following = await follow(house)
})
afterAll(async () => {
  await following.stop()
  door.closeAllConnections()
  door.close()
  await node.close()
  await house.close()
})

const source = () => ann.getCustomSource({ fullname: 'acme.evm' })
const logs = async () => (await ann.getCustomSourceLogs({ fullname: 'acme.evm', query: { limit: '500' } })).entries

test('a failing node sets its source to error once, and to running after it recovers', async () => {
  await ann.saveCustomSource({ fullname: 'acme.evm', body: customSource('acme.evm', { endpoints: [url] }) })
  const fullname = 'acme.p.onlogs'
  const triggerSpec = { type: 'evm_log', dataSource: 'acme.evm' } as const
  await ann.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec, status: { status: 'ready' } }) })
  const events = 'acme.p.onevents'
  const backend = { type: 'sdk' as const, trigger: 'acme.evm.events', values: { type: 'error' } }
  await ann.saveTrigger({ fullname: events, body: trigger(events, { triggerSpec: null, backend }) })
  const { id: subscription } = await ann.createSubscription({
    body: { workspace: 'acme', project: 'acme.p', trigger: events, resources: ['acme.hook'] },
  })
  await until(source, ({ status }) => status.status === 'running')
  isShut = true
  const failed = await until(source, ({ status }) => status.status === 'error')
  expect(failed.status).toMatchObject({ previousStatus: 'running', code: 'source.unavailable' })
  expect((await ann.getTrigger({ fullname })).status).toMatchObject({ status: 'broken', source: 'dependency' })
  expect((await ann.getTrigger({ fullname: events })).status.status).not.toBe('broken')
  isShut = false
  await until(source, ({ status }) => status.status === 'running')
  expect((await ann.getTrigger({ fullname })).status.status).toBe('ready')
  const lines = (await logs()).filter(({ level }) => level === 'error')
  expect(lines).toHaveLength(1)
  expect((await logs()).some(({ message }) => message.startsWith('Recovered after'))).toBe(true)
  const id = (await ann.getTrigger({ fullname: events })).id
  const told = (await queued(house)).filter(({ data }) => data.triggerId === id).flatMap(({ data }) => data.matches)
  expect(told).toMatchObject([
    {
      item: { type: 'error', status: 'error', previousStatus: 'running', severity: 'error', source: 'acme.evm' },
      listeners: [`${subscription}:`],
    },
  ])
})

test('a simulated status goes to subscribers and does not change the real one', async () => {
  const before = await source()
  const heard = await ann.testCustomSourceStatus({ fullname: 'acme.evm', body: { type: 'error' } })
  expect(heard).toMatchObject({ ok: true, matched: 1, delivered: 1, event: { type: 'error' } })
  const unheard = await ann.testCustomSourceStatus({ fullname: 'acme.evm', body: { type: 'recovered' } })
  expect(unheard).toMatchObject({ ok: true, matched: 0, delivered: 0 })
  expect((await source()).status).toEqual(before.status)
  const id = (await ann.getTrigger({ fullname: 'acme.p.onevents' })).id
  const jobs = (await queued(house)).filter(({ data }) => data.triggerId === id)
  expect(jobs).toHaveLength(2)
})

test('endpoints of two networks are an error that names the wrong one', async () => {
  const other = await startEvmNode({ chainId: 99 })
  const body = customSource('acme.mixed', { endpoints: [node.url, other.url] })
  await ann.saveCustomSource({ fullname: 'acme.mixed', body })
  const mixed = () => ann.getCustomSource({ fullname: 'acme.mixed' })
  const { status } = await until(mixed, ({ status }) => status.status === 'error')
  expect(status).toMatchObject({ code: 'source.network_mismatch' })
  expect(status.message).toContain(new URL(other.url).host)
  await ann.saveCustomSource({ fullname: 'acme.mixed', body: { ...body, mode: 'update', endpoints: [node.url] } })
  await until(mixed, ({ status }) => status.status === 'running')
  await other.close()
})

test('a restart and a save start the source again, and a deleted source leaves no rows', async () => {
  await ann.restartCustomSource({ fullname: 'acme.evm', body: {} })
  const running = await until(source, ({ status }) => status.status === 'running')
  expect(running.revision).toBe(2)
  await ann.deleteCustomSource({ fullname: 'acme.evm' })
  const left = () =>
    query(
      house,
      "select 1 from followers where source = 'acme.evm' union all select 1 from source_blocks where source = 'acme.evm'",
    )
  await until(left, (rows) => rows.length === 0)
  await node.request('evm_mine')
  expect(await left()).toEqual([])
})
