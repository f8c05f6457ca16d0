import { afterAll, afterEach, expect, test } from 'vitest'
import { scriptedPools } from '../../../../../tests/nodes/scripted-pool.ts'
import { openDoor } from '../../outbound/index.ts'
import { RpcError } from './index.ts'

const { clock, node, pool, clear, close } = scriptedPools()
afterEach(clear)
afterAll(close)

const good = () => node(({ id, method }) => ({ jsonrpc: '2.0', id, result: method }))

test('a request is answered over HTTP and over a WebSocket', async () => {
  const { url, wsUrl } = await good()
  await expect(pool([url]).request('eth_chainId')).resolves.toBe('eth_chainId')
  await expect(pool([wsUrl]).request('eth_chainId', [{}])).resolves.toBe('eth_chainId')
  const many = pool([wsUrl])
  await expect(Promise.all(['a', 'b', 'c'].map((method) => many.request(method)))).resolves.toEqual(['a', 'b', 'c'])
})

test('null is a result', async () => {
  const { url } = await node(({ id }) => ({ id, result: null }))
  await expect(pool([url]).request('eth_getBlockByNumber', ['0xff', false])).resolves.toBeNull()
})

const faults: [string, (asked: { id: number }) => unknown, RegExp][] = [
  ['an HTTP error', () => ({ status: 500, body: 'oops' }), /failed with HTTP 500/],
  ['a missing key', () => ({ status: 401, body: '' }), /asks for a key/],
  ['429', () => ({ status: 429, body: '' }), /asks to slow down/],
  ['HTML', () => '<!doctype html><title>Just a moment...</title>', /a web page instead of JSON-RPC/],
  ['half of a JSON', () => '{"id":', /not JSON/],
  ['nothing', () => '', /not JSON/],
  ['JSON null', () => 'null', /not JSON-RPC/],
  ['a list', () => '[]', /not JSON-RPC/],
  ['another id', ({ id }) => ({ id: id + 1, result: 1 }), /was not asked/],
  ['neither result nor error', ({ id }) => ({ id }), /neither result nor error/],
  ['too much', ({ id }) => ({ id, result: 'x'.repeat(50_000) }), /more than 4096 bytes/],
  ['an overload code', ({ id }) => ({ id, error: { code: -32005, message: 'daily request count exceeded' } }), /daily/],
  ['an overload text', ({ id }) => ({ id, error: { code: -32000, message: 'Rate limit reached' } }), /Rate limit/],
]

test.each(faults)(
  '%s: the next endpoint is used; without another one, the error is clear',
  async (_fault, answer, message) => {
    const [bad, fine] = [await node(answer), await good()]
    const both = pool([bad.url, fine.url])
    await expect(both.request('m')).resolves.toBe('m')
    await expect(both.request('m')).resolves.toBe('m')
    expect([bad.messages, fine.messages]).toEqual([1, 2])
    const alone = pool([bad.url]).request('m')
    await expect(alone).rejects.toThrow(message)
    await expect(alone).rejects.toThrow(bad.host)
  },
)

test.each(['hang', 'cut', '<html>', '{"id":', 'x'.repeat(50_000)])(
  'a WebSocket that answers %.8s is replaced by the next endpoint',
  async (answer) => {
    const [bad, fine] = [await node(() => answer), await good()]
    await expect(pool([bad.wsUrl, fine.wsUrl], { timeoutMs: 4200 }).request('m')).resolves.toBe('m')
  },
)

test('a closed WebSocket is opened again', async () => {
  let isFirst = true
  const flaky = await node(({ id }) => {
    const said = isFirst ? 'cut' : { id, result: 'back' }
    isFirst = false
    return said
  })
  const alone = pool([flaky.wsUrl])
  await expect(alone.request('m')).rejects.toThrow(/closed the connection/)
  await expect(alone.request('m')).resolves.toBe('back')
})

test('an endpoint that hangs leaves time for the next endpoint', async () => {
  const [hung, fine] = [await node(() => 'hang'), await good()]
  await expect(
    pool([hung.url, fine.url], { timeoutMs: 4100, now: () => performance.now() }).request('m'),
  ).resolves.toBe('m')
})

test('if all endpoints hang, the call ends at its deadline', async () => {
  const hung = await node(() => 'hang')
  const request = pool([hung.url, hung.wsUrl], { timeoutMs: 300, now: () => performance.now() }).request('m')
  await expect(request).rejects.toMatchObject({ kind: 'timeout' })
})

test('an error of the method itself does not lead to another endpoint', async () => {
  const revert = { code: 3, message: 'execution reverted: no', data: '0x08c379a0' }
  const [first, second] = [await node(({ id }) => ({ id, error: revert })), await good()]
  const request = pool([first.url, second.url]).request('eth_call')
  await expect(request).rejects.toBeInstanceOf(RpcError)
  await expect(request).rejects.toMatchObject({ code: 3, data: '0x08c379a0', message: /execution reverted: no/ })
  expect(second.messages).toBe(0)
})

test('a node with a limit on answer sizes is skipped, and does not count as rate limited', async () => {
  const error = { code: -32005, message: 'query returned more than 10000 results' }
  const [first, second] = [await node(({ id }) => ({ id, error })), await good()]
  const both = pool([first.url, second.url])
  expect(await both.request('eth_getLogs')).toBe('eth_getLogs')
  expect(both.report()[0]).toMatchObject({ slowDowns: 0, restMs: 0, perSecond: null })
})

test('the cooldown of a failing endpoint doubles each time, and the endpoint is used again afterwards', async () => {
  let isWell = false
  const flaky = await node(({ id }) => (isWell ? { id, result: 'first' } : { status: 503, body: '' }))
  const spare = await node(({ id }) => ({ id, result: 'spare' }))
  const both = pool([flaky.url, spare.url])
  for (const at of [0, 999, 1001, 3000, 3002]) {
    clock.ms = at
    await expect(both.request('m')).resolves.toBe('spare')
  }
  expect(flaky.messages).toBe(3)
  isWell = true
  clock.ms = 10_000
  await expect(both.request('m')).resolves.toBe('first')
})

test('Retry-After is respected even if no other endpoint is left', async () => {
  const busy = await node(() => ({ status: 429, headers: { 'retry-after': '30' }, body: '' }))
  const alone = pool([busy.url])
  await expect(alone.request('m')).rejects.toThrow(/asks to slow down/)
  await expect(alone.request('m')).rejects.toThrow(/free again in 30 s/)
  clock.ms = 30_001
  await expect(alone.request('m')).rejects.toThrow(/asks to slow down/)
  expect(busy.messages).toBe(2)
})

test('each endpoint can be called alone', async () => {
  const [bad, fine] = [await node(() => '<html>'), await good()]
  const both = pool([bad.url, fine.wsUrl])
  await expect(both.perEndpoint(bad.url).request('m')).rejects.toThrow(/web page/)
  await expect(both.perEndpoint(fine.wsUrl).request('m')).resolves.toBe('m')
})

test('a call with a list of endpoints uses no other, even if another is preferred or the listed ones fail', async () => {
  const [first, bad, third] = [await good(), await node(() => '<html>'), await good()]
  const all = pool([first.url, bad.url, third.url])
  await expect(all.ask('m', [], String, { among: [1], prefer: 0 })).rejects.toThrow(/web page/)
  expect(await all.ask('m', [], String, { among: [1, 2] })).toBe('m')
  expect([first.messages, third.messages]).toEqual([0, 1])
})

test('the guarded door refuses endpoints in private networks', async () => {
  const fine = await good()
  const guarded = openDoor({ allowPrivateNetworks: false })
  const both = pool([fine.url, fine.wsUrl], { door: guarded })
  await expect(both.request('m')).rejects.toMatchObject({ kind: 'refused' })
  expect(fine.messages).toBe(0)
  await guarded.close()
})

test('error messages do not contain secrets of the URL', async () => {
  const bad = await node(() => '<html>')
  const url = `http://me:secret@${bad.host}/v3/secret?key=secret`
  await expect(pool([url]).request('m')).rejects.toThrow(/^127\.0\.0\.1:\d+ answered a web page instead of JSON-RPC\.$/)
})

test('a network without endpoints fails with that reason', async () => {
  await expect(pool([]).request('m')).rejects.toThrow('The network has no endpoint.')
})
