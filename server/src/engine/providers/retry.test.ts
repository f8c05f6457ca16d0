import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from '@tocsin/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OpenDoor, openDoor } from '../outbound/index.ts'
import { copyWindows, makeResultCache, type ParkedRun, type ProvidersContext, runProviders } from './index.ts'
import { delayAfter } from './retry.ts'

let server: Server
let base = ''
let door: OpenDoor
/** The replies of each path, one for each call; the last one stays. */
let replies: Record<string, { status?: number; body: unknown }[]> = {}
let calls: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? ''
    const given = replies[path] ?? []
    const { status = 200, body } = given[Math.min(calls.filter((each) => each === path).length, given.length - 1)] ?? {
      body: null,
    }
    calls.push(path)
    response.writeHead(status).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  door = openDoor({ allowPrivateNetworks: true })
})
beforeEach(() => {
  replies = {}
  calls = []
  nowMs = 1_000_000
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await door.close()
})

let nowMs = 0
const scripts = {
  run: () => {
    throw new Error('no script runs here')
  },
}
const retry = { attempts: 3, delayMs: 1_000, backoff: 'exponential', until: { path: 'tx.status', equals: 'final' } }
const http = (more: object = {}) => ({ id: 'a', type: 'http', url: `${base}/tx`, retry, ...more })

function run(definitions: object[], more: Partial<ProvidersContext> = {}) {
  const context: ProvidersContext = {
    ...{ source: { n: 1 }, inputs: { status: 'final' }, nowMs: 0, door, scripts, windows: copyWindows(), trigger: 't' },
    connection: () => Promise.reject(new Error('no source')),
    parking: { nowMs: () => nowMs },
    ...more,
  }
  return runProviders(
    definitions.map((definition) => Provider.parse(definition)),
    context,
  )
}

/** Runs until the run is no longer parked, and returns the pauses between the attempts. */
async function runToEnd(definitions: object[], more: Partial<ProvidersContext> = {}) {
  const pauses: number[] = []
  let parked: ParkedRun | undefined
  for (;;) {
    const done = await run(definitions, { ...more, parked })
    if (!done.parking) return { ...done, pauses }
    pauses.push(done.parking.delayMs)
    nowMs += done.parking.delayMs
    parked = JSON.parse(JSON.stringify(done.parking.state)) as ParkedRun
  }
}

test('a run is parked until the value is there, and earlier providers are not called again', async () => {
  replies = {
    '/first': [{ body: { seen: 7 } }],
    '/tx': [{ body: {} }, { body: { tx: { status: 'pending' } } }, { body: { tx: { status: 'Final', seen: 7 } } }],
  }
  const first = { id: 'first', type: 'http', url: `${base}/first` }
  const last = { id: 'last', type: 'http', url: `${base}/last/{{providers.first.seen}}` }
  const { ok, values, pauses } = await runToEnd([first, http(), last])
  expect({ ok, pauses }).toEqual({ ok: true, pauses: [1_000, 2_000] })
  expect(values).toEqual({ first: { seen: 7 }, a: { tx: { status: 'Final', seen: 7 } }, last: null })
  expect(calls).toEqual(['/first', '/tx', '/tx', '/tx', '/last/7'])
})

test('several providers wait one after the other, each with its own attempts', async () => {
  const steps = [{ body: {} }, { body: {} }, { body: { tx: { status: 'final' } } }]
  replies = { '/tx': steps, '/other': steps }
  const { ok, pauses } = await runToEnd([http(), http({ id: 'b', url: `${base}/other` })])
  expect({ ok, pauses }).toEqual({ ok: true, pauses: [1_000, 2_000, 1_000, 2_000] })
})

test('delays grow as the backoff says, up to maxDelayMs and to an hour', () => {
  const delays = (more: object) =>
    [1, 2, 3, 4].map((attempts) => delayAfter({ attempts: 20, delayMs: 300, backoff: 'fixed', ...more }, attempts))
  expect(delays({})).toEqual([300, 300, 300, 300])
  expect(delays({ backoff: 'linear' })).toEqual([300, 600, 900, 1_200])
  expect(delays({ backoff: 'exponential', maxDelayMs: 1_000 })).toEqual([300, 600, 1_000, 1_000])
  expect(delayAfter({ attempts: 20, delayMs: 60_000, backoff: 'exponential' }, 19)).toBe(3_600_000)
})

test.each<[string, object, { status?: number; body: unknown }[], unknown]>([
  ['an empty array', { retryOn: ['empty_array'] }, [{ body: [] }, { body: [1] }], [1]],
  [
    'an empty array at the path',
    { retryOn: ['empty_array'], until: { path: 'items' } },
    [{ body: { items: [] } }, { body: { items: [0] } }],
    { items: [0] },
  ],
  [
    'a missing path',
    { retryOn: ['missing_path'], until: { path: 'a[1].b' } },
    [{ body: { a: [] } }, { body: { a: [{}, { b: null }] } }, { body: { a: [{}, { b: false }] } }],
    { a: [{}, { b: false }] },
  ],
  ['a missing result', { retryOn: ['missing_path'] }, [{ body: null }, { body: 0 }], 0],
  [
    'a value that is not there',
    { until: { path: 'done' } },
    [{ body: {} }, { body: { done: false } }],
    { done: false },
  ],
  [
    'a number and a text of the same value',
    { until: { path: 'n', equals: '5' } },
    [{ body: { n: 4 } }, { body: { n: 5 } }],
    { n: 5 },
  ],
  [
    'a list',
    { until: { path: 'n', equals: [1, { a: 2 }] } },
    [{ body: { n: [1] } }, { body: { n: [1, { a: 2 }] } }],
    { n: [1, { a: 2 }] },
  ],
  [
    'a value of an input',
    { until: { path: 's', equals: '{{inputs.status}}' } },
    [{ body: { s: 'new' } }, { body: { s: 'final' } }],
    { s: 'final' },
  ],
  ['an HTTP status', { retryOn: ['http_error'] }, [{ status: 404, body: 1 }, { status: 503, body: 1 }, { body: 2 }], 2],
])('%s asks for another attempt', async (_name, more, given, value) => {
  replies = { '/tx': given }
  const own = { attempts: 5, delayMs: 250, backoff: 'fixed', ...more }
  const { ok, values, pauses } = await runToEnd([http({ retry: own })])
  expect({ ok, value: values.a, attempts: pauses.length + 1 }).toEqual({ ok: true, value, attempts: given.length })
})

test('a failure that retryOn does not name is no reason to wait', async () => {
  const own = { attempts: 5, delayMs: 250, backoff: 'fixed' }
  replies = { '/tx': [{ status: 404, body: 'gone' }] }
  expect(await runToEnd([http({ retry: { ...own, retryOn: ['empty_array'] } })])).toMatchObject({
    ok: false,
    pauses: [],
  })
  replies = { '/tx': [{ body: { jsonrpc: '2.0', id: 1, error: { code: 5, message: 'no such block' } } }] }
  const rpc = { id: 'a', type: 'rpc', url: `${base}/tx`, method: 'm', retry: { ...own, retryOn: ['http_error'] } }
  expect(await runToEnd([rpc])).toMatchObject({ ok: false, pauses: [] })
  replies = { '/tx': [{ status: 429, body: { jsonrpc: '2.0', id: 1, error: { code: 5, message: 'slow down' } } }] }
  expect((await runToEnd([rpc])).pauses).toHaveLength(4)
  replies = { '/tx': [{ status: 500, body: { errors: [{ message: 'busy' }] } }, { body: { data: { items: [] } } }] }
  calls = []
  const graphql = { id: 'a', type: 'graphql', url: `${base}/tx`, query: '{ items }' }
  const found = await runToEnd([{ ...graphql, retry: { ...own, retryOn: ['http_error'] } }])
  expect(found).toMatchObject({ ok: true, values: { a: { items: [] } }, pauses: [250] })
})

test('without a further attempt the run fails for good, or goes on with what there is', async () => {
  replies = { '/tx': [{ body: { tx: { status: 'pending' } } }] }
  const issue = { path: 'providers.0.retry', message: 'tx.status is not yet "final"; gave up after attempt 3 of 3' }
  const failed = await runToEnd([http()])
  expect(failed).toMatchObject({ ok: false, isTransient: false, issues: [issue], debug: { a: { ok: false } } })
  expect(calls).toHaveLength(3)
  const goesOn = await runToEnd([http({ retry: { ...retry, exhausted: 'continue' } })])
  expect(goesOn).toMatchObject({ ok: true, values: { a: { tx: { status: 'pending' } } }, issues: [] })
  expect(await runToEnd([http({ optional: true })])).toMatchObject({ ok: true, values: { a: null } })
  replies = { '/tx': [{ status: 500, body: 'down' }] }
  const onError = { ...retry, until: undefined, retryOn: ['http_error'] }
  expect(await runToEnd([http({ retry: onError })])).toMatchObject({
    ...{ ok: false, isTransient: false },
    issues: [{ path: 'providers.0', message: expect.stringContaining('HTTP 500') }],
  })
  const silent = await runToEnd([http({ retry: { ...onError, exhausted: 'continue' } })])
  expect(silent).toMatchObject({ ok: true, values: { a: null } })
})

test('a run does not wait longer than maxElapsedMs, nor longer than undone blocks are remembered', async () => {
  const long = { attempts: 20, delayMs: 1_000, backoff: 'linear', until: { path: 'x' } }
  expect((await runToEnd([http({ retry: { ...long, maxElapsedMs: 6_000 } })])).pauses).toEqual([1_000, 2_000, 3_000])
  const hourly = { ...long, delayMs: 60_000, backoff: 'exponential', exhausted: 'continue' }
  const many = Array.from({ length: 12 }, (_, at) => http({ id: `a${at}`, retry: hourly }))
  const { pauses } = await runToEnd(many)
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThanOrEqual(5 * 86_400_000)
})

test('a test makes one attempt', async () => {
  const tested = await run([http()], { parking: undefined })
  expect(tested).toMatchObject({ ok: false, issues: [{ message: expect.stringContaining('attempt 1 of 3') }] })
  expect(tested.parking).toBeUndefined()
  const one = { ...retry, attempts: 1, exhausted: 'continue' }
  expect(await run([http({ retry: one })])).toMatchObject({ ok: true, values: { a: null } })
  expect(calls).toEqual(['/tx', '/tx'])
})

test('with another definition or other inputs a parked run starts from its beginning', async () => {
  const first = { id: 'first', type: 'http', url: `${base}/first` }
  const definitions = [first, http()]
  const { parking } = await run(definitions)
  const parked = parking?.state
  calls = []
  const other = await run(definitions, { parked, inputs: { status: 'other' } })
  expect(other.parking?.state).toMatchObject({ attempts: 1 })
  const changed = await run([first, http({ retry: { ...retry, delayMs: 2_000 } })], { parked })
  expect(changed.parking?.state).toMatchObject({ attempts: 1 })
  const same = await run(definitions, { parked })
  expect(same.parking?.state).toMatchObject({ attempts: 2 })
  expect(calls).toEqual(['/first', '/tx', '/first', '/tx', '/tx'])
})

test('a result that is not accepted is not cached, and an accepted one is', async () => {
  replies = { '/tx': [{ body: {} }, { body: { tx: { status: 'final' } } }, { body: {} }] }
  const cached = http({ cache: { ttlMs: 60_000 } })
  const cache = makeResultCache(() => 0)
  expect((await runToEnd([cached], { cache })).pauses).toEqual([1_000])
  expect(await runToEnd([cached], { cache })).toMatchObject({ ok: true, pauses: [] })
  expect(calls).toHaveLength(2)
  const stricter = http({ cache: { ttlMs: 60_000 }, retry: { ...retry, until: { path: 'tx.block' } } })
  expect((await run([stricter], { cache })).parking).toBeDefined()
})

test('a secret in a reason is masked', async () => {
  const secrets = async () => ({ word: 'open-sesame' })
  const own = { ...retry, attempts: 1, until: { path: 'word', equals: '{{secrets.word}}' } }
  const { issues } = await run([http({ retry: own })], { secrets })
  expect(JSON.stringify(issues)).toContain('***')
  expect(JSON.stringify(issues)).not.toContain('sesame')
})
