import { createClient } from '@tocsin/sdk'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAlert } from './harness/alerts.ts'
import { waitFor } from './harness/evaluation.ts'
import { type Harness, harness, type Person, project, subscription, trigger } from './harness/index.ts'

let house: Harness
let ann: Person
let subscriptionId: string
beforeAll(async () => {
  house = await harness()
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  await ann.saveTrigger({ fullname: 'acme.p.t', body: trigger('acme.p.t') })
  subscriptionId = (await ann.createSubscription({ body: subscription('acme.p.t') })).id
})
afterAll(() => house.close())

const add = (status = 'delivered') =>
  addAlert(house.databaseUrl, { subscriptionId, trigger: 'acme.p.t', at: house.clock.now(), status })

/** Copies of an alert, all in one commit. Its time stays the same, so only the transaction tells that they are new. */
async function addCopies(of: string, count: number, client: pg.Pool | pg.Client = house.database): Promise<void> {
  const columns = `subscription_id, account_id, workspace_id, project_id, trigger_id, project, trigger, status, severity,
    item_at, message, trace, created_at, updated_at`
  await client.query(
    `insert into alerts (id, ${columns}) select 'al_' || gen_random_uuid(), ${columns} from alerts, generate_series(1, $2)
     where id = $1`,
    [of, count],
  )
}

type Told = { event: string; id: string | undefined; alert: string | undefined; status: string | undefined }

/** A connection whose events are read one by one, as any client of server-sent events reads them. */
async function connect(lastEventId?: string) {
  const left = new AbortController()
  const events = await ann.streamEvents({ signal: left.signal, ...(lastEventId !== undefined && { lastEventId }) })
  const next = async (): Promise<Told> => {
    const { value } = await events.next()
    if (!value) throw new Error('The stream ended.')
    const data = value.data as { id?: string; status?: string }
    return { event: value.event, id: value.id, alert: data.id, status: data.status }
  }
  return { next, close: () => left.abort() }
}

/** Reads this many events and closes the connection. */
async function read(count: number, lastEventId?: string): Promise<Told[]> {
  const stream = await connect(lastEventId)
  const told: Told[] = []
  while (told.length < count) told.push(await stream.next())
  stream.close()
  return told
}

/** The id of an event that is sent now. */
async function positionNow(): Promise<string> {
  const stream = await connect()
  await add()
  const { id } = await stream.next()
  stream.close()
  return id!
}

test('a stream that is resumed sends what was missed first, each alert once and in order', async () => {
  const position = await positionNow()
  const missed = [await add(), await add(), await add()]
  const resumed = await read(3, position)
  expect(resumed.map(({ alert }) => alert)).toEqual(missed)
  const later = await connect(resumed.at(-1)?.id)
  const [live] = [await add()]
  expect(await later.next()).toMatchObject({ event: 'alert', alert: live })
  later.close()
})

test('a stream that broke off within events that were sent together goes on after the last one', async () => {
  const position = await positionNow()
  await addCopies(await add(), 3)
  const all = await read(4, position)
  for (const at of [0, 1, 2]) {
    const rest = await read(3 - at, all[at]?.id)
    expect(rest.map(({ alert }) => alert)).toEqual(all.slice(at + 1).map(({ alert }) => alert))
  }
})

test('an alert that changed in between is sent again in its new state', async () => {
  const stream = await connect()
  const id = await add('pending')
  const { id: position, status } = await stream.next()
  expect(status).toBe('pending')
  stream.close()
  await house.database.query("update alerts set status = 'delivered', updated_at = now() where id = $1", [id])
  expect(await read(1, position)).toMatchObject([{ alert: id, status: 'delivered' }])
})

test('an alert whose transaction ends late is neither lost nor sent twice', async () => {
  const slow = new pg.Client({ connectionString: house.databaseUrl })
  await slow.connect()
  const sample = await add()
  const stream = await connect()
  await slow.query('begin')
  await addCopies(sample, 1, slow)
  const fast = await add()
  const { alert, id: position } = await stream.next()
  expect(alert).toBe(fast)
  stream.close()
  await slow.query('commit')
  await slow.end()
  const again = await connect(position)
  const late = await again.next()
  expect(late.alert).not.toBe(fast)
  const last = await add()
  expect((await again.next()).alert).toBe(last)
  again.close()
})

test('an id that is unknown, too old or not of this store is answered with a gap, and the stream goes on', async () => {
  const ids = [
    'x',
    '',
    '1:2:3:4',
    '5:3:',
    '1:9:5,4',
    '0:0:',
    '1:1:~2:2:',
    '900000000000:900000000001:',
    '9'.repeat(5000),
  ]
  for (const id of ids) expect([id, (await read(1, id))[0]?.event]).toEqual([id, 'gap'])
  const stream = await connect('x')
  expect((await stream.next()).event).toBe('gap')
  const told = await add()
  expect(await stream.next()).toMatchObject({ event: 'alert', alert: told })
  stream.close()
})

test('at most 1,000 missed alerts are sent, the newest ones, after a gap', async () => {
  const position = await positionNow()
  const first = await add()
  await addCopies(first, 1_000)
  const told = await read(1_001, position)
  expect(told[0]?.event).toBe('gap')
  expect(new Set(told.slice(1).map(({ alert }) => alert)).size).toBe(1_000)
  expect(told.map(({ alert }) => alert)).not.toContain(first)
})

test('the stream of the SDK loses and doubles nothing while the service restarts', async () => {
  // The service has another port after its restart.
  const atHouse: typeof fetch = (url, options) => fetch(String(url).replace('http://house', house.url), options)
  const client = createClient({ baseUrl: 'http://house', token: ann.token, fetch: atHouse, retryDelayMs: 5 })
  const left = new AbortController()
  const seen: string[] = []
  let connects = 0
  const reading = (async () => {
    const stream = client.stream({ workspace: 'acme', signal: left.signal, onOpen: () => connects++ })
    for await (const event of stream) if (event.event === 'alert') seen.push(event.data.id)
  })()
  await waitFor(() => connects === 1)
  const added = [await add()]
  await waitFor(() => seen.length === 1)
  const restarted = house.restart()
  for (let each = 0; each < 5; each++) added.push(await add())
  await restarted
  for (let each = 0; each < 3; each++) added.push(await add())
  await waitFor(() => seen.length >= added.length)
  added.push(await add())
  await waitFor(() => seen.includes(added.at(-1)!))
  left.abort()
  await reading
  expect(seen.toSorted()).toEqual(added.toSorted())
  expect(connects).toBeGreaterThan(1)
})

test('the stream of the SDK throws a refusal of the first connect', async () => {
  const stream = createClient({ baseUrl: house.url }).stream()
  await expect(stream.next()).rejects.toMatchObject({ name: 'ApiError', code: 'unauthenticated' })
})
