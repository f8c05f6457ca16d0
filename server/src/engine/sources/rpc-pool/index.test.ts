import { createHash } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type OpenDoor, openDoor } from '../../outbound/index.ts'
import { openRpcPool, RpcError, type RpcPool } from './index.ts'

let door: OpenDoor
const servers: Server[] = []
const pools: RpcPool[] = []
beforeAll(() => {
  door = openDoor({ allowPrivateNetworks: true })
})
afterAll(() => door.close())
afterEach(async () => {
  await Promise.all(pools.splice(0).map((each) => each.close()))
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

type Node = { url: string; ws: string; host: string; calls: number }

async function node(answer: (request: { id: number; method: string }) => Parameters<RequestListener>[1] | unknown) {
  const started: Node = { url: '', ws: '', host: '', calls: 0 }
  const server = createServer(async (request, response) => {
    started.calls += 1
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const said = answer(asked)
    if (said === 'hang') return
    const { status = 200, headers = {}, body = said } = isRaw(said) ? said : {}
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.on('upgrade', (request, socket: Duplex) => {
    const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    const accept = `Sec-WebSocket-Accept: ${key.digest('base64')}`
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${accept}\r\n\r\n`)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      for (const asked of messagesIn(chunk)) {
        started.calls += 1
        const said = answer(JSON.parse(asked))
        if (said === 'cut') return void socket.destroy()
        if (said !== 'hang') socket.write(framed(typeof said === 'string' ? said : JSON.stringify(said)))
      }
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  started.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(started, { url: `http://${started.host}/`, ws: `ws://${started.host}/` })
}

/** The text frames of a chunk; they are short, and whole ones come together. */
function messagesIn(chunk: Buffer): string[] {
  if (chunk.length < 2 || (chunk[0]! & 15) !== 1) return []
  const length = chunk[1]! & 127
  const at = length === 126 ? 4 : 2
  const end = at + 4 + (length === 126 ? chunk.readUInt16BE(2) : length)
  const mask = chunk.subarray(at, at + 4)
  const text = Buffer.from(chunk.subarray(at + 4, end).map((byte, index) => byte ^ mask[index % 4]!)).toString()
  return [text, ...messagesIn(chunk.subarray(end))]
}

function framed(text: string): Buffer {
  const body = Buffer.from(text)
  const head = Buffer.alloc(body.length < 126 ? 2 : 10)
  head[0] = 0x81
  head[1] = body.length < 126 ? body.length : 127
  if (body.length >= 126) head.writeBigUInt64BE(BigInt(body.length), 2)
  return Buffer.concat([head, body])
}

type Raw = { status?: number; headers?: Record<string, string>; body?: unknown }
const isRaw = (said: unknown): said is Raw => typeof said === 'object' && said !== null && 'status' in said
const good = () => node(({ id, method }) => ({ jsonrpc: '2.0', id, result: method }))

let clock = 0
const pool = (urls: string[], options: Partial<Parameters<typeof openRpcPool>[1]> = {}) => {
  const opened = openRpcPool(urls, { door, timeoutMs: 2000, responseBytesMax: 4096, now: () => clock, ...options })
  pools.push(opened)
  return opened
}

test('a request is answered over http and over a web socket', async () => {
  const { url, ws } = await good()
  await expect(pool([url]).request('eth_chainId')).resolves.toBe('eth_chainId')
  await expect(pool([ws]).request('eth_chainId', [{}])).resolves.toBe('eth_chainId')
  const many = pool([ws])
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

test.each(faults)('%s: the next endpoint is asked, and alone it is told clearly', async (_fault, answer, message) => {
  const [bad, fine] = [await node(answer), await good()]
  const both = pool([bad.url, fine.url])
  await expect(both.request('m')).resolves.toBe('m')
  await expect(both.request('m')).resolves.toBe('m')
  expect([bad.calls, fine.calls]).toEqual([1, 2])
  const alone = pool([bad.url]).request('m')
  await expect(alone).rejects.toThrow(message)
  await expect(alone).rejects.toThrow(bad.host)
})

test.each(['hang', 'cut', '<html>', '{"id":', 'x'.repeat(50_000)])(
  'a web socket that answers %.8s gives way to the next',
  async (answer) => {
    const [bad, fine] = [await node(() => answer), await good()]
    await expect(pool([bad.ws, fine.ws], { timeoutMs: 4200 }).request('m')).resolves.toBe('m')
  },
)

test('a socket that was cut is opened again', async () => {
  let isFirst = true
  const flaky = await node(({ id }) => {
    const said = isFirst ? 'cut' : { id, result: 'back' }
    isFirst = false
    return said
  })
  const alone = pool([flaky.ws])
  await expect(alone.request('m')).rejects.toThrow(/closed the connection/)
  await expect(alone.request('m')).resolves.toBe('back')
})

test('an endpoint that hangs leaves time for the next one', async () => {
  const [hung, fine] = [await node(() => 'hang'), await good()]
  const startedAt = performance.now()
  await expect(
    pool([hung.url, fine.url], { timeoutMs: 4100, now: () => performance.now() }).request('m'),
  ).resolves.toBe('m')
  expect(performance.now() - startedAt).toBeLessThan(3500)
})

test('all hanging ends within the time', async () => {
  const hung = await node(() => 'hang')
  const startedAt = performance.now()
  const request = pool([hung.url, hung.ws], { timeoutMs: 300, now: () => performance.now() }).request('m')
  await expect(request).rejects.toMatchObject({ kind: 'timeout' })
  expect(performance.now() - startedAt).toBeLessThan(1500)
})

test('an error of the method itself is not failed over', async () => {
  const revert = { code: 3, message: 'execution reverted: no', data: '0x08c379a0' }
  const [first, second] = [await node(({ id }) => ({ id, error: revert })), await good()]
  const request = pool([first.url, second.url]).request('eth_call')
  await expect(request).rejects.toBeInstanceOf(RpcError)
  await expect(request).rejects.toMatchObject({ code: 3, data: '0x08c379a0', message: /execution reverted: no/ })
  expect(second.calls).toBe(0)
})

test('an answer that would be too large is the request’s fault, though it comes with an overload code', async () => {
  const error = { code: -32005, message: 'query returned more than 10000 results' }
  const [first, second] = [await node(({ id }) => ({ id, error })), await good()]
  await expect(pool([first.url, second.url]).request('eth_getLogs')).rejects.toBeInstanceOf(RpcError)
  expect(second.calls).toBe(0)
})

test('a failing endpoint cools down, twice as long each time, and comes back', async () => {
  clock = 0
  let isWell = false
  const flaky = await node(({ id }) => (isWell ? { id, result: 'first' } : { status: 503, body: '' }))
  const spare = await node(({ id }) => ({ id, result: 'spare' }))
  const both = pool([flaky.url, spare.url])
  for (const at of [0, 999, 1001, 3000, 3002]) {
    clock = at
    await expect(both.request('m')).resolves.toBe('spare')
  }
  expect(flaky.calls).toBe(3)
  isWell = true
  clock = 10_000
  await expect(both.request('m')).resolves.toBe('first')
})

test('Retry-After is respected even when nothing else is left', async () => {
  clock = 0
  const busy = await node(() => ({ status: 429, headers: { 'retry-after': '30' }, body: '' }))
  const alone = pool([busy.url])
  await expect(alone.request('m')).rejects.toThrow(/asks to slow down/)
  await expect(alone.request('m')).rejects.toThrow(/free again in 30 s/)
  clock = 30_001
  await expect(alone.request('m')).rejects.toThrow(/asks to slow down/)
  expect(busy.calls).toBe(2)
})

test('each endpoint can be asked by itself', async () => {
  const [bad, fine] = [await node(() => '<html>'), await good()]
  const both = pool([bad.url, fine.ws])
  await expect(both.perEndpoint(bad.url).request('m')).rejects.toThrow(/web page/)
  await expect(both.perEndpoint(fine.ws).request('m')).resolves.toBe('m')
})

test('a guarded door keeps endpoints out of private networks', async () => {
  const fine = await good()
  const guarded = openDoor({ allowPrivateNetworks: false })
  const both = pool([fine.url, fine.ws], { door: guarded })
  await expect(both.request('m')).rejects.toMatchObject({ kind: 'refused' })
  expect(fine.calls).toBe(0)
  await guarded.close()
})

test('secrets in the address are not in the message', async () => {
  const bad = await node(() => '<html>')
  const url = `http://me:secret@${bad.host}/v3/secret?key=secret`
  await expect(pool([url]).request('m')).rejects.toThrow(/^127\.0\.0\.1:\d+ answered a web page instead of JSON-RPC\.$/)
})

test('a network without endpoints says so', async () => {
  await expect(pool([]).request('m')).rejects.toThrow('The network has no endpoint.')
})
