import { noResourceIssue } from '@tocsin/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from './harness/following.ts'
import { customSource, type Harness, harness, type Person, project, subscription, trigger } from './harness/index.ts'

/** A subscription and a trigger that cannot make alerts say so, wherever people look. */
let house: Harness
let ann: Person

beforeAll(async () => {
  house = await harness({ ROLE: 'all', ALLOW_PRIVATE_NETWORKS: 'on', SOURCE_TIMEOUT_MS: '1000' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  const body = customSource('acme.down', { endpoints: ['http://127.0.0.1:9'] })
  await ann.saveCustomSource({ fullname: 'acme.down', body })
})
afterAll(() => house.close())

const specOn = (dataSource: string) => ({ triggerSpec: { type: 'evm_block', dataSource } as const, transform: 'null' })
const save = (name: string, extra: object) =>
  ann.saveTrigger({ fullname: `acme.p.${name}`, body: trigger(`acme.p.${name}`, extra) })
const subscribe = (name: string) => ann.createSubscription({ body: subscription(`acme.p.${name}`) })
const noEndpoint = 'No alert can come from Ethereum: this service has no endpoint for it.'

test('on a network without an endpoint the trigger and its subscriptions say that no alert can come', async () => {
  expect((await save('ethereum', specOn('common.ethereum'))).issue).toContain(noEndpoint)
  expect((await ann.getTrigger({ fullname: 'acme.p.ethereum' })).issue).toContain(noEndpoint)
  const listed = await ann.listTriggers({ query: { project: 'acme.p' } })
  expect(listed.find(({ name }) => name === 'ethereum')?.issue).toContain(noEndpoint)
  const { id, issue } = await subscribe('ethereum')
  expect(issue).toContain(noEndpoint)
  const [row] = await ann.listSubscriptions({ query: { workspace: 'acme', trigger: 'acme.p.ethereum' } })
  expect(row?.issue).toContain(noEndpoint)
  expect((await ann.pauseSubscription({ id })).issue).toContain(noEndpoint)
  expect((await ann.resumeSubscription({ id })).issue).toContain(noEndpoint)
})

test('one of several networks without an endpoint is named', async () => {
  const sourceBindings = [
    { id: 'a', dataSource: 'common.ethereum' },
    { id: 'b', dataSource: 'common.polygon' },
  ]
  const { issue } = await save('two', { ...specOn('common.ethereum'), sourceBindings })
  expect(issue).toMatch(/^No alert can come from (Ethereum and Polygon PoS|Polygon PoS and Ethereum):/)
})

test('a source that is unknown or in error is the issue of the subscription, and a timer has none', async () => {
  await save('nowhere', specOn('acme.gone'))
  expect((await subscribe('nowhere')).issue).toMatch(
    /^No alert can come: the trigger "acme.p.nowhere" is broken. there is no data source "acme.gone"/,
  )
  await save('down', specOn('acme.down'))
  const { id } = await subscribe('down')
  const { issue } = await until(
    () => ann.getSubscription({ id }),
    ({ issue = '' }) => issue.includes('is broken'),
  )
  expect(issue).toContain('127.0.0.1:9')
  await save('clock', { triggerSpec: { type: 'timer', interval: '30d' }, transform: 'null' })
  const clock = await subscribe('clock')
  expect(clock.issue).toBe(noResourceIssue)
})

test('a plan warns of triggers and subscriptions that cannot fire, and can be applied', async () => {
  const fullname = 'acme.p.planned'
  const { status, ...body } = trigger(fullname, specOn('common.ethereum'))
  const entities = [
    { kind: 'trigger' as const, payload: body },
    { kind: 'subscription' as const, payload: { ...subscription(fullname), key: 'mine' } },
  ]
  const plan = await ann.planStack({ fullname: 'acme', body: { stack: 'silent', entities } })
  expect(plan.issues).toEqual([])
  expect(plan.warnings).toMatchObject([
    { kind: 'trigger', fullname, path: '', message: expect.stringContaining(noEndpoint) },
    { kind: 'subscription', fullname: 'mine', path: '', message: expect.stringContaining(noEndpoint) },
  ])
  const request = { stack: 'silent', entities, expectedPlanHash: plan.planHash }
  expect((await ann.applyStack({ fullname: 'acme', body: request })).changes).toHaveLength(2)
})
