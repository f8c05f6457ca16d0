import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from '@tocsin/contract'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type OpenDoor, openDoor } from '../outbound/index.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import { type Scripts, startScripts } from '../script/index.ts'
import type { Connection } from '../sources/connection.ts'
import { applyTemplateValues, copyWindows, makeResultCache, type ProvidersContext, runProviders } from './index.ts'

let server: Server
let base = ''
let door: OpenDoor
let scripts: Scripts
type Seen = { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }
let seen: Seen[] = []
let answer: (request: Seen, response: ServerResponse) => void

const echo = (request: Seen, response: ServerResponse) => void response.end(JSON.stringify(request))

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const asked = { method: request.method, url: request.url, headers: request.headers, body }
    seen.push(asked)
    answer(asked, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  door = openDoor({ allowPrivateNetworks: true })
  scripts = startScripts({ children: 1 })
  answer = echo
})
afterEach(() => {
  seen = []
  answer = echo
  server.closeAllConnections()
})
afterAll(async () => {
  server.close()
  await Promise.all([door.close(), scripts.close()])
})

const at = { number: 7, hash: '0xb7', timestampMs: 1_700_000_000_000 }
const source = { params: { to: '0xabc', amount: '1000000000000000000' }, block: { number: 7 } }

function context(more: Partial<ProvidersContext> = {}): ProvidersContext {
  return {
    source,
    inputs: { wallet: '0xdef', name: '../admin?x=1&y' },
    at,
    nowMs: 1_700_000_000_000,
    door,
    scripts,
    windows: copyWindows(),
    trigger: 'acme.p.t',
    connection: () => {
      throw new UpstreamError('failed', 'There is no such source.')
    },
    ...more,
  }
}

const run = (definitions: object[], more?: Partial<ProvidersContext>) =>
  runProviders(
    definitions.map((definition) => Provider.parse(definition)),
    context(more),
  )
const http = (more: object = {}) => ({ id: 'a', type: 'http', url: `${base}/x`, ...more })

test('http: query, headers and placeholders are sent, JSON comes back', async () => {
  const headers = { 'X-Key': 'k-{{inputs.wallet}}', 'X-Block': '{{source.block.number}}' }
  const queryParams = { to: '{{source.params.to}}', n: 5, none: null, flag: true }
  const { ok, values } = await run([http({ url: `${base}/x?a=1`, headers, queryParams })])
  expect(ok).toBe(true)
  expect(values.a).toMatchObject({ method: 'GET', url: '/x?a=1&to=0xabc&n=5&flag=true' })
  expect(values.a).toMatchObject({ headers: { 'x-key': 'k-0xdef', 'x-block': '7' } })
})

test('http: an object is sent as JSON with its types, a string as it is', async () => {
  await run([http({ method: 'POST', body: { n: '{{source.block.number}}', list: ['{{inputs.wallet}}!'] } })])
  expect(seen[0]).toMatchObject({ method: 'POST', body: '{"n":7,"list":["0xdef!"]}' })
  expect(seen[0]?.headers['content-type']).toBe('application/json')
  await run([http({ method: 'PUT', body: 'plain {{inputs.wallet}}', headers: { 'Content-Type': 'text/csv' } })])
  expect(seen[1]).toMatchObject({ method: 'PUT', body: 'plain 0xdef', headers: { 'content-type': 'text/csv' } })
})

test('http: the value of a placeholder cannot change the path, the host or the query', async () => {
  await run([http({ url: `${base}/users/{{inputs.name}}/balance?q={{inputs.name}}` })])
  expect(seen[0]?.url).toBe('/users/..%2Fadmin%3Fx%3D1%26y/balance?q=..%2Fadmin%3Fx%3D1%26y')
  const host = await run([http({ url: 'http://{{inputs.evil}}.example.com/' })], { inputs: { evil: '127.0.0.1/' } })
  expect(host).toMatchObject({ ok: false })
  const whole = await run([http({ url: '{{inputs.base}}/y' })], { inputs: { base } })
  expect(whole.ok).toBe(true)
})

test('http: text stays text, big integers keep their digits, NUL is dropped', async () => {
  answer = (_request, response) => response.end('hello')
  expect((await run([http()])).values.a).toBe('hello')
  answer = (_request, response) => response.end('{"wei":123456789012345678901234567890,"symbol":"USD\\u0000\\u0000"}')
  expect((await run([http()])).values.a).toEqual({ wei: '123456789012345678901234567890', symbol: 'USD' })
})

test.each<[string, (response: ServerResponse) => void, RegExp]>([
  ['404', (response) => response.writeHead(404).end('no such thing'), /answered HTTP 404: no such thing/],
  ['429', (response) => response.writeHead(429).end(), /answered HTTP 429$/],
  ['50 MB', (response) => response.writeHead(200, { 'content-length': 5e7 }).flushHeaders(), /more than 262144 bytes/],
  ['a deep answer', (response) => response.end('['.repeat(5000) + ']'.repeat(5000)), /nested deeper than 64/],
  ['a far too deep answer', (response) => response.end('['.repeat(100_000) + ']'.repeat(100_000)), /nested/],
  ['__proto__', (response) => response.end('{"__proto__":{"a":1}}'), /not an allowed name/],
  ['a cut', (response) => response.destroy(), /closed the connection/],
])('http: %s is a failure with an issue, and null when optional', async (_fault, fault, message) => {
  answer = (_request, response) => fault(response)
  const failed = await run([http(), http({ id: 'b' })])
  expect(failed).toMatchObject({ ok: false, issues: [{ path: 'providers.0', message }] })
  expect(failed.debug.a).toMatchObject({ ok: false, error: message })
  expect(failed.debug).not.toHaveProperty('b')
  const optional = await run([
    http({ optional: true }),
    { id: 'b', type: 'javascript', source: 'providers.a === null' },
  ])
  expect(optional).toMatchObject({ ok: true, issues: [], values: { a: null, b: true } })
})

test('http, graphql and rpc endpoints of private networks are refused', async () => {
  const guarded = openDoor({ allowPrivateNetworks: false })
  const url = base.replace('127.0.0.1', '{{inputs.host}}')
  for (const definition of [
    http({ url }),
    { id: 'g', type: 'graphql', url, query: '{ a }' },
    { id: 'r', type: 'rpc', url, method: 'm' },
  ]) {
    for (const host of ['127.0.0.1', '2130706433', '[::ffff:7f00:1]', '0x7f.1'])
      expect(await run([definition], { door: guarded, inputs: { host } })).toMatchObject({ ok: false })
  }
  expect(seen).toEqual([])
  await guarded.close()
})

test('graphql: an old query with a placeholder fails and sends nothing', async () => {
  const provider = { id: 'g', type: 'graphql', url: base, query: 'query { a(id: "{{source.params.to}}") }' }
  expect(await run([provider])).toMatchObject({
    ok: false,
    issues: [{ path: 'providers.0.query', message: expect.stringContaining('`variables`') }],
  })
  expect(seen).toEqual([])
})

test('graphql: data is returned, and errors without data fail', async () => {
  answer = (request, response) => response.end(JSON.stringify({ data: { got: JSON.parse(request.body) } }))
  const provider = {
    id: 'g',
    type: 'graphql',
    url: base,
    query: 'query { a }',
    variables: { to: '{{source.params.to}}' },
  }
  expect((await run([provider])).values.g).toEqual({ got: { query: 'query { a }', variables: { to: '0xabc' } } })
  answer = (_request, response) => response.end('{"data":{"a":1},"errors":[{"message":"partly"}]}')
  expect((await run([provider])).values.g).toEqual({ a: 1 })
  answer = (_request, response) => response.writeHead(400).end('{"errors":[{"message":"no field b"}]}')
  expect(await run([provider])).toMatchObject({ ok: false, issues: [{ message: 'the query failed: no field b' }] })
  answer = (_request, response) => response.end('<html>')
  expect(await run([provider])).toMatchObject({ ok: false, issues: [{ message: /not GraphQL/ }] })
})

test('rpc endpoint: a JSON-RPC 2.0 request is sent, or the body if there is one', async () => {
  answer = (request, response) => response.end(JSON.stringify({ id: JSON.parse(request.body).id, result: '0x5' }))
  const provider = {
    id: 'r',
    type: 'rpc',
    url: base,
    method: 'eth_getBalance',
    params: ['{{source.params.to}}', 'latest'],
  }
  expect((await run([provider])).values.r).toBe('0x5')
  expect(JSON.parse(seen[0]!.body)).toEqual({
    jsonrpc: '2.0',
    id: 1,
    method: 'eth_getBalance',
    params: ['0xabc', 'latest'],
  })
  await run([{ ...provider, body: { jsonrpc: '2.0', id: 'mine', method: 'other' } }])
  expect(JSON.parse(seen[1]!.body)).toEqual({ jsonrpc: '2.0', id: 'mine', method: 'other' })
  answer = (_request, response) => response.end('{"id":1,"error":{"code":3,"message":"execution reverted"}}')
  expect(await run([provider])).toMatchObject({ ok: false, issues: [{ message: /execution reverted/ }] })
  answer = (_request, response) => response.writeHead(502).end('<html>')
  expect(await run([provider])).toMatchObject({ ok: false, issues: [{ message: /HTTP 502/ }] })
})

/** A connection like those of the chains' folders. */
function connectionOf(calls: unknown[], fail?: Error): Connection {
  const note = async (...call: unknown[]) => {
    calls.push(call)
    if (fail) throw fail
    return { read: calls.length }
  }
  const unused = () => Promise.reject(new Error('not used here'))
  const unread = { head: unused, block: unused, headerFrom: unused, blockOfTransaction: unused }
  return { request: note, read: note, ...unread, close: async () => {} }
}

const abiFragment = 'function balanceOf(address) view returns (uint256)'
const evmRead = {
  id: 'e',
  type: 'evm_read',
  contract: '{{source.params.to}}',
  method: 'balanceOf',
  abiFragment,
  args: ['{{inputs.wallet}}'],
}

test('rpc source and reads go through the connection, at the block of the item', async () => {
  const calls: unknown[] = []
  const connection = (name: string | undefined) => {
    calls.push(name)
    return connectionOf(calls)
  }
  const rpc = {
    id: 'r',
    type: 'rpc',
    transport: 'source',
    method: 'eth_call',
    params: [{ to: '{{source.params.to}}' }],
  }
  const other = { id: 's', type: 'substrate_storage', module: 'System', entry: 'Account', source: 'common.polkadot' }
  expect(await run([rpc, evmRead, other], { connection })).toMatchObject({ ok: true, issues: [] })
  expect(calls[1]).toEqual(['eth_call', [{ to: '0xabc' }]])
  expect(calls[3]).toEqual([expect.objectContaining({ contract: '0xabc', args: ['0xdef'] }), at])
  expect(calls[4]).toBe('common.polkadot')
  expect(calls[5]).toEqual([expect.objectContaining({ module: 'System' }), undefined])
})

test('an error of a codec is an issue, not a crash', async () => {
  const connection = () => connectionOf([], new Error('Value "x" is not an address'))
  expect(await run([evmRead], { connection })).toMatchObject({ ok: false, issues: [{ message: /is not an address/ }] })
  expect(await run([evmRead])).toMatchObject({ ok: false, issues: [{ message: 'There is no such source.' }] })
})

test('equal reads at the same block run once, other reads run', async () => {
  const calls: unknown[] = []
  const memo = new Map()
  const connection = () => connectionOf(calls)
  await Promise.all([
    run([evmRead, http()], { connection, memo }),
    run([{ ...evmRead, id: 'other' }, http()], { connection, memo }),
  ])
  expect([calls.length, seen.length]).toEqual([1, 1])
  await run([evmRead], { connection, memo, inputs: { wallet: '0x1' } })
  await run([evmRead], { connection, memo, at: { ...at, hash: '0xb8' } })
  expect(calls).toHaveLength(3)
  await run([http({ method: 'POST' }), http({ id: 'b', method: 'POST' })], { memo })
  expect(seen).toHaveLength(3)
})

test('an rpc endpoint gets a read once, and any other method each time', async () => {
  answer = (_request, response) => response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
  const countCalls = async (more: object) => {
    seen = []
    const rpc = { type: 'rpc', transport: 'endpoint', url: base, method: 'eth_call', ...more }
    await run(
      [
        { ...rpc, id: 'a' },
        { ...rpc, id: 'b' },
      ],
      { memo: new Map() },
    )
    return seen.length
  }
  expect(await countCalls({})).toBe(1)
  expect(await countCalls({ body: { jsonrpc: '2.0', id: 1, method: 'eth_getBalance' } })).toBe(1)
  expect(await countCalls({ method: 'eth_sendRawTransaction' })).toBe(2)
  expect(await countCalls({ body: { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction' } })).toBe(2)
  expect(await countCalls({ body: '{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction"}' })).toBe(2)
})

test('a failed read is not cached', async () => {
  const memo = new Map()
  answer = (_request, response) => response.writeHead(500).end()
  expect((await run([http()], { memo })).ok).toBe(false)
  answer = echo
  expect((await run([http()], { memo })).ok).toBe(true)
})

test('javascript: sees the scope, the results before it and its variables; its failure names the line', async () => {
  const script = { id: 'j', type: 'javascript', variables: { to: '{{source.params.to}}' } }
  const code =
    'console.log("hi"); return { to: variables.to, n: providers.a.method, w: inputs.wallet, b: source.block.number }'
  const done = await run([http(), { ...script, source: code }])
  expect(done.values.j).toEqual({ to: '0xabc', n: 'GET', w: '0xdef', b: 7 })
  expect(done.logs).toEqual([{ level: 'log', message: 'hi' }])
  const failed = await run([{ ...script, source: 'const a = 1\nreturn a.b.c' }])
  expect(failed).toMatchObject({ ok: false, issues: [{ path: 'providers.0', message: /line 2/ }] })
})

test('an unresolved placeholder fails the provider before anything is sent, and names its field and path', async () => {
  const failed = await run([http({ body: { list: ['{{source.missing}}'] }, method: 'POST' })])
  expect(failed.issues).toEqual([
    { path: 'providers.0.body.list.0', message: expect.stringContaining('{{source.missing}}') },
  ])
  expect(await run([http({ headers: { k: '{{inputs.no}}' } })])).toMatchObject({
    issues: [{ path: 'providers.0.headers.k' }],
  })
  expect(seen).toEqual([])
  expect((await run([http({ queryParams: { q: '{{source.missing?}}' } })])).ok).toBe(true)
})

test('debug masks header values, query values, users and keys in the path', async () => {
  const url = `${base.replace('//', '//me:secret@')}/v3/0123456789abcdef0123456789abcdef/0xdeadbeefdeadbeefdead?key=secret`
  const { debug, metrics } = await run([
    http({ url, headers: { authorization: 'Bearer secret' }, queryParams: { t: 'secret' } }),
  ])
  expect(debug.a).toEqual({
    ok: true,
    durationMs: expect.any(Number),
    request: {
      method: 'GET',
      url: `${base}/v3/***/0xdeadbeefdeadbeefdead?key=***`,
      headers: { authorization: '***' },
      queryParams: { t: '***' },
    },
  })
  expect(JSON.stringify(debug)).not.toContain('secret')
  expect(metrics).toEqual({ providerCalls: 1, bytes: expect.any(Number) })
})

test('a provider has a timeout, and the run has its own', async () => {
  answer = () => undefined
  const slow = await run([http({ timeoutMs: 100 })])
  expect(slow.issues[0]?.message).toMatch(/100 ms/)
  const whole = await run([http({ optional: true }), http({ id: 'b' })], { policy: { timeoutMs: 150 } })
  // The timeout of the first provider, which is optional, may end just before that of the run.
  const path = expect.stringMatching(/^providers\.[01]$/)
  expect(whole).toMatchObject({ ok: false, issues: [{ path, message: 'the run took longer than its 150 ms' }] })
})

test('the policy limits calls and bytes, the operator limits weights', async () => {
  const three = [http(), http({ id: 'b' }), http({ id: 'c' })]
  expect(await run(three, { policy: { maxProviderCallsPerRun: 2 } })).toMatchObject({
    ok: false,
    issues: [{ path: 'providers.2', message: 'the run may call at most 2 providers' }],
    metrics: { providerCalls: 2 },
  })
  expect(await run(three, { weightBudget: 5 })).toMatchObject({
    ok: false,
    issues: [{ path: 'providers.2', message: /weights/ }],
  })
  expect(await run([http({ weight: 0 }), ...three.slice(1)], { weightBudget: 5 })).toMatchObject({ ok: true })
  answer = (_request, response) => response.end('x'.repeat(2000))
  expect(await run([http()], { policy: { maxResponseBytes: 1024 } })).toMatchObject({
    issues: [{ message: /more than 1024 bytes/ }],
  })
})

test('results that are passed in are not fetched', async () => {
  const done = await run([http(), { id: 'b', type: 'javascript', source: 'providers.a.usd * 2' }], {
    given: { a: { usd: 2 } },
  })
  expect(done.values).toEqual({ a: { usd: 2 }, b: 4 })
  expect(seen).toEqual([])
  const alone = await run([http({ id: 'c', url: `${base}/{{providers.a.usd}}` })], { given: { a: { usd: 2 } } })
  expect(alone.values.c).toMatchObject({ url: '/2' })
})

const windowOf = (more: object = {}) => ({
  id: 'w',
  type: 'state_window',
  dedupeBy: '{{source.id}}',
  value: '{{source.amount}}',
  keepLast: 2,
  aggregate: ['sum'],
  ...more,
})

test('state_window: entries are kept over runs, per partition and per inputs that the definition uses, on a copy', async () => {
  const windows = copyWindows()
  const push = async (id: number, amount: string, more: Partial<ProvidersContext> = {}, definition: object = {}) =>
    (await run([windowOf(definition)], { windows, source: { id, amount, who: 'x' }, ...more })).values.w
  await push(1, '9007199254740993')
  expect(await push(2, '9007199254740993')).toMatchObject({ sum: '18014398509481986', count: 2, full: true })
  expect(await push(2, '5')).toMatchObject({ duplicate: true, count: 2 })
  expect(await push(3, '1', { inputs: { other: 1 } })).toMatchObject({ count: 2 })
  expect(await push(4, '1', {}, { partitionBy: '{{source.who}}' })).toMatchObject({ count: 1 })
  const withInput = { value: '{{inputs.factor}}' }
  expect(await push(5, '1', { inputs: { factor: 1 } }, withInput)).toMatchObject({ values: [1] })
  expect(await push(6, '1', { inputs: { factor: 1 } }, withInput)).toMatchObject({ values: [1, 1] })
  expect(await push(7, '1', { inputs: { factor: 2 } }, withInput)).toMatchObject({ values: [2] })
  const copy = { windows: copyWindows(windows) }
  expect(await push(8, '1', { ...copy, inputs: { factor: 2 } }, withInput)).toMatchObject({ values: [2, 2] })
  expect(await push(9, '1', { inputs: { factor: 2 } }, withInput)).toMatchObject({ values: [2, 2] })
})

test('state_window: parallel runs lose no entry', async () => {
  const windows = copyWindows()
  const ids = Array.from({ length: 20 }, (_, id) => id)
  const definition = windowOf({ value: 1, keepLast: 50 })
  await Promise.all(ids.map((id) => run([definition], { windows, source: { id } })))
  expect((await run([definition], { windows, source: { id: 99 } })).values.w).toMatchObject({ count: 21, sum: 21 })
})

test('state_window: a result that depends on inputs keeps subscribers apart', async () => {
  const windows = copyWindows()
  const price = { id: 'p', type: 'javascript', source: 'inputs.factor * 10' }
  const both = [price, windowOf({ value: '{{providers.p}}' })]
  const push = async (id: number, factor: number) =>
    (await run(both, { windows, source: { id }, inputs: { factor } })).values.w
  expect(await push(1, 1)).toMatchObject({ values: [10] })
  expect(await push(2, 2)).toMatchObject({ values: [20] })
  expect(await push(3, 1)).toMatchObject({ values: [10, 10] })
})

test('state_window: a runIf that depends on inputs keeps subscribers apart', async () => {
  const windows = copyWindows()
  const push = async (id: number, wanted: number) =>
    (
      await run([windowOf({ value: 1, runIf: 'inputs.wanted === source.id' })], {
        windows,
        source: { id },
        inputs: { wanted },
      })
    ).values.w
  expect(await push(1, 1)).toMatchObject({ count: 1 })
  expect(await push(2, 1)).toBeNull()
  expect(await push(2, 2)).toMatchObject({ count: 1 })
})

test('template values replace placeholders, by path or nested, and the item stays unchanged', () => {
  const scope = { source: { params: { to: '0x1', from: '0x2' }, topics: ['a', 'b'] }, inputs: {}, providers: {} }
  const before = structuredClone(scope)
  const filled = applyTemplateValues(scope, {
    'source.params.to': '0x9',
    '{{inputs.wallet}}': '0x8',
    'input.topics[1]': 'z',
    providers: { price: { usd: 2 } },
    'source.__proto__.polluted': true,
    'source.topics.length': 1e9,
    'source.topics.5000000': 'far',
    'not a path!': 1,
  })
  expect(filled).toMatchObject({
    source: { params: { to: '0x9', from: '0x2' }, topics: ['a', 'z'] },
    inputs: { wallet: '0x8' },
    providers: { price: { usd: 2 } },
  })
  expect(scope).toEqual(before)
  expect({}).not.toHaveProperty('polluted')
})

test('runIf: a falsy value skips the provider before its placeholders are filled in, and its result is null', async () => {
  const { ok, values, debug, metrics } = await run([
    { id: 'big', type: 'javascript', source: 'BigInt(source.params.amount) > 5n' },
    http({ runIf: '!providers.big', url: `${base}/{{source.not.there}}` }),
    http({
      id: 'b',
      runIf: '({ source, inputs, providers }) => providers.big && providers.a === null && inputs.wallet',
    }),
  ])
  expect(ok).toBe(true)
  expect(values).toMatchObject({ big: true, a: null, b: { url: '/x' } })
  expect(debug.a).toEqual({ ok: true, durationMs: expect.any(Number), skipped: true })
  expect(debug.b).not.toHaveProperty('skipped')
  expect(seen).toHaveLength(1)
  expect(metrics.providerCalls).toBe(2)
})

test('runIf: an error is an issue of the provider, and null when the provider is optional', async () => {
  const runIf = 'source.params.none.deep'
  const failed = await run([http({ runIf })])
  expect(failed).toMatchObject({ ok: false, isTransient: false, issues: [{ path: 'providers.0.runIf' }] })
  expect(failed.debug.a).toMatchObject({ ok: false, error: expect.stringMatching(/^runIf .*line 1/) })
  expect(await run([http({ runIf, optional: true })])).toMatchObject({ ok: true, values: { a: null } })
  const endless = await run([http({ runIf: 'for (;;) {}' })])
  expect(endless).toMatchObject({ ok: false, issues: [{ path: 'providers.0.runIf' }] })
  expect(seen).toEqual([])
})

test('cache: runs of one trigger share a result until it expires, other triggers and changed requests do not', async () => {
  let nowMs = 0
  const cache = makeResultCache(() => nowMs)
  const read = async (more: object = {}, context: Partial<ProvidersContext> = {}) =>
    (await run([http({ cache: { ttlMs: 1000 }, ...more })], { cache, ...context })).values.a
  const first = await read()
  expect(await read({}, { at: { ...at, hash: '0xb8' }, memo: new Map() })).toEqual(first)
  expect(seen).toHaveLength(1)
  nowMs = 999
  await read()
  expect(seen).toHaveLength(1)
  nowMs = 1000
  await read()
  expect(seen).toHaveLength(2)
  await read({}, { trigger: 'acme.p.other' })
  await read({ headers: { 'x-other': '1' } })
  await read({ url: `${base}/{{inputs.wallet}}` })
  await read({ url: `${base}/{{inputs.wallet}}` }, { inputs: { wallet: '0x2' } })
  expect(seen).toHaveLength(6)
  await run([http({ cache: { ttlMs: 1000 } })])
  expect(seen).toHaveLength(7)
})

test('cache: a key decides which runs share, and a secret in it is masked', async () => {
  const cache = makeResultCache(() => 0)
  const definition = http({
    url: `${base}/{{source.id}}`,
    cache: { ttlMs: 1000, key: '{{source.group}} {{secrets.k}}' },
  })
  const read = (id: number, group: unknown) =>
    run([definition], { cache, source: { id, group }, secrets: async () => ({ k: 'very-secret' }) })
  expect((await read(1, 7)).values.a).toMatchObject({ url: '/1' })
  const second = await read(2, 7)
  expect(second.values.a).toMatchObject({ url: '/1' })
  expect(JSON.stringify(second)).not.toContain('very-secret')
  expect((await read(3, 8)).values.a).toMatchObject({ url: '/3' })
  expect(await read(3, undefined)).toMatchObject({ ok: false, issues: [{ path: 'providers.0.cache.key' }] })
})

test('cache: scripts share by their context, failures are not stored, and parallel runs share one call', async () => {
  const cache = makeResultCache(() => 0)
  const script = { id: 'j', type: 'javascript', source: '[source.id, Math.random()]', cache: { ttlMs: 1000 } }
  const runScript = async (id: number, nowMs: number) =>
    (await run([script], { cache, source: { id }, nowMs })).values.j
  const first = await runScript(1, 1)
  expect(await runScript(1, 2)).toEqual(first)
  expect(await runScript(2, 2)).toMatchObject([2, expect.any(Number)])
  answer = (_request, response) => response.writeHead(404).end()
  const cached = http({ cache: { ttlMs: 1000 } })
  expect(await run([cached], { cache })).toMatchObject({ ok: false })
  answer = echo
  const both = await Promise.all([run([cached], { cache }), run([cached], { cache })])
  expect(both).toMatchObject([{ ok: true }, { ok: true }])
  expect(seen).toHaveLength(2)
})

test('cache: its bytes are bounded, and the least recently used result goes first', async () => {
  const cache = makeResultCache(() => 0, 700)
  let calls = 0
  const read = (key: string, chars = 10) => cache.read(key, 1000, async () => ({ value: ++calls, bytes: chars }))
  for (const key of ['a', 'b', 'c']) await read(key)
  await read('a')
  expect(calls).toBe(3)
  await read('d')
  await read('a')
  expect(calls).toBe(4)
  await read('b')
  expect(calls).toBe(5)
  await read('huge', 5000)
  await read('huge', 5000)
  expect(calls).toBe(7)
})

test('price: the age is that at the item, also of a cached price; a price is stale only beyond maxAgeMs', async () => {
  let reads = 0
  const updatedAt = '2023-11-14T22:13:20.000Z'
  const round = { value: '2500.5', updatedAt, roundId: '7' }
  const connection = { read: async () => ({ ...round, roundId: String(++reads) }) } as unknown as Connection
  const cache = makeResultCache(() => 0)
  const updatedMs = Date.parse(updatedAt)
  const priceAt = async (ageMs: number, more: object = {}) => {
    const feed = { id: 'p', type: 'price', feed: '{{inputs.wallet}}', cache: { ttlMs: 60_000 }, ...more }
    const { values } = await run([feed], { cache, connection: () => connection, nowMs: updatedMs + ageMs })
    return values.p
  }
  expect(await priceAt(5_000)).toEqual({ ...round, roundId: '1', ageMs: 5_000, isStale: false })
  expect(await priceAt(90_000)).toEqual({ ...round, roundId: '1', ageMs: 90_000, isStale: false })
  expect(await priceAt(60_000, { maxAgeMs: 60_000 })).toMatchObject({ ageMs: 60_000, isStale: false })
  expect(await priceAt(60_001, { maxAgeMs: 60_000 })).toMatchObject({ ageMs: 60_001, isStale: true })
  expect(await priceAt(-5, { maxAgeMs: 60_000 })).toMatchObject({ ageMs: 0, isStale: false })
})
