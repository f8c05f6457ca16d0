import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeStreamFeed } from '../server/src/domain/alerts/feed/index.ts'
import type { Store } from '../server/src/store/index.ts'
import { addAlert } from './harness/alerts.ts'
import { waitFor } from './harness/evaluation.ts'
import {
  customSource,
  type Harness,
  harness,
  type Person,
  project,
  rejects,
  subscription,
  trigger,
} from './harness/index.ts'

let house: Harness
let ann: Person
beforeAll(async () => {
  house = await harness({ LIMIT_STREAMS_PER_ACCOUNT: '3', LIMIT_STREAMS_PER_WORKSPACE: '2' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
})
afterAll(() => house.close())

/** A stream and the end of its connection. */
async function open(person: Person, workspace?: string) {
  const left = new AbortController()
  const events = await person.streamEvents({ signal: left.signal, ...(workspace && { query: { workspace } }) })
  return { next: async () => (await events.next()).value, close: () => left.abort() }
}

test('an account has a limit of open streams, and other accounts are not affected', async () => {
  const streams = [await open(ann), await open(ann), await open(ann)]
  await rejects(open(ann), { code: 'limit_reached', status: 403, details: { limit: 3, used: 3 } })
  streams.push(await open(await house.person('bob')))
  streams[0]?.close()
  await waitFor(async () => {
    const again = await open(ann).catch(() => undefined)
    if (again) streams.push(again)
    return again !== undefined
  })
  for (const stream of streams) stream.close()
})

test('a workspace has a limit of open streams of all its members; a stream without a workspace counts only for its account', async () => {
  const [carl, dora] = [await house.person('carl'), await house.person('dora')]
  for (const fullname of ['many', 'few']) await carl.saveWorkspace({ fullname, body: { fullname } })
  const { invite = '' } = await carl.getWorkspace({ fullname: 'many' })
  await dora.joinWorkspace({ workspace: 'many', body: { invite } })
  const streams = [await open(carl), await open(carl, 'many'), await open(dora, 'many')]
  const refused = await rejects(open(dora, 'many'), {
    code: 'limit_reached',
    status: 403,
    details: { limit: 2, used: 2 },
  })
  expect(refused.message).toContain('A workspace has at most 2 streams')
  streams.push(await open(carl, 'few'), await open(dora))
  streams[1]?.close()
  await waitFor(async () => {
    const again = await open(dora, 'many').catch(() => undefined)
    if (again) streams.push(again)
    return again !== undefined
  })
  for (const stream of streams) stream.close()
})

test('all streams of an account get the same events, a new one also the state of all sources', async () => {
  const eve = await house.person('eve')
  await eve.saveWorkspace({ fullname: 'evil', body: { fullname: 'evil' } })
  await eve.saveCustomSource({ fullname: 'evil.one', body: customSource('evil.one') })
  await eve.saveProject({ fullname: 'evil.p', body: project('evil.p') })
  await eve.saveTrigger({ fullname: 'evil.p.t', body: trigger('evil.p.t') })
  const { id: subscriptionId } = await eve.createSubscription({ body: subscription('evil.p.t') })
  const [one, foreign] = [await open(eve), await open(ann)]
  expect(await one.next()).toMatchObject({ event: 'source', data: { fullname: 'evil.one', status: 'pending' } })
  const two = await open(eve)
  expect(await two.next()).toMatchObject({ event: 'source', data: { fullname: 'evil.one', status: 'pending' } })
  const id = await addAlert(house.databaseUrl, { subscriptionId, trigger: 'evil.p.t', at: house.clock.now() })
  for (const stream of [one, two]) expect(await stream.next()).toMatchObject({ event: 'alert', data: { id } })
  await eve.saveCustomSource({ fullname: 'evil.two', body: customSource('evil.two') })
  for (const stream of [one, two]) expect(await stream.next()).toMatchObject({ data: { fullname: 'evil.two' } })
  await ann.saveCustomSource({ fullname: 'acme.one', body: customSource('acme.one') })
  expect(await foreign.next()).toMatchObject({ data: { fullname: 'acme.one' } })
  for (const stream of [one, two, foreign]) stream.close()
})

test('a stream that is read late stays open', async () => {
  const stream = await open(ann)
  // Node closes the connection of a response that is garbage collected before its body is read.
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  for (let round = 0; round < 5; round++) {
    collectGarbage()
    await setImmediate()
  }
  await ann.saveCustomSource({ fullname: 'acme.late', body: customSource('acme.late') })
  expect(await stream.next()).toMatchObject({ event: 'source' })
  stream.close()
})

test('many streams cost the store as many statements as one', async () => {
  const { store, calls } = counting(house.service.store)
  const feed = makeStreamFeed(
    (work) => work(store),
    { perAccount: 5, perWorkspace: 1_000 },
    (error) => expect.unreachable(error.message),
  )
  const closed = new AbortController()
  const openFor = async (accountId: string) => {
    for (let each = 0; each < 5; each++) (await feed.open(accountId, undefined, undefined)).follow(closed.signal)
  }
  await openFor(ann.id)
  const ofOne = await statementsOfLooks(calls)
  for (let each = 0; each < 100; each++) await openFor(randomUUID())
  const ofMany = await statementsOfLooks(calls)
  closed.abort()
  expect(ofMany).toBe(ofOne)
})

/** Counts calls of the real store; each is one statement. */
function counting(store: Store): { store: Store; calls: string[] } {
  const calls: string[] = []
  const spied = (table: object, name: string) =>
    new Proxy(table, {
      get: (target, call) => {
        calls.push(`${name}.${String(call)}`)
        return Reflect.get(target, call)
      },
    })
  const counted = new Proxy(store, {
    get: (target, name) => {
      const value = Reflect.get(target, name)
      return typeof value === 'object' && value !== null ? spied(value, String(name)) : value
    },
  })
  return { store: counted, calls }
}

/** Waits from the start of one poll of the feed to the start of the third poll after it. */
async function statementsOfLooks(calls: string[]): Promise<number> {
  const starts = () => calls.flatMap((call, index) => (call === 'alertFeed.listNew' ? [index] : []))
  const before = starts().length
  await waitFor(() => starts().length >= before + 3)
  const [first = 0, , third = 0] = starts().slice(before)
  return third - first
}
