import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Agent } from 'undici'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { guardedConnector } from './connect.ts'
import { fetchFollowingRedirects } from './fetch.ts'
import { type OpenDoor, openDoor } from './index.ts'

/** A real server on loopback that counts requests. A guarded door must not raise the count. */
let server: Server
let port = 0
let reached = 0
let answer: RequestListener = (_request, response) => response.end('ok')
const doors: OpenDoor[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    reached += 1
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterEach(async () => {
  answer = (_request, response) => response.end('ok')
  await Promise.all(doors.splice(0).map((each) => each.close()))
  server.closeAllConnections()
})
afterAll(() => void server.close())

const limits = { timeoutMs: 5000, responseBytesMax: 1024 }
function door(options: Partial<Parameters<typeof openDoor>[0]> = {}): OpenDoor {
  const opened = openDoor({ allowPrivateNetworks: false, ...options })
  doors.push(opened)
  return opened
}
const own = () => door({ allowPrivateNetworks: true })
const here = (path = '/') => `http://127.0.0.1:${port}${path}`

const notations = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '127.000.000.001',
  '１２７.０.０.１',
  '%31%32%37.0.0.1',
  'user:password@127.0.0.1',
  'example.com@127.0.0.1',
  '0.0.0.0',
  '0',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fe80::1%25lo]',
  '[fd00:ec2::254]',
  '169.254.169.254',
  '10.0.0.1',
  '192.168.0.1',
  '172.16.0.1',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
]

test.each(notations)('a guarded door refuses http and ws to %s', async (host) => {
  const before = reached
  const guarded = door()
  await expect(guarded.fetch(`http://${host}:${port}/`, limits)).rejects.toMatchObject({ kind: 'refused' })
  await expect(guarded.webSocket(`ws://${host}:${port}/`, limits)).rejects.toMatchObject({ kind: 'refused' })
  expect(reached).toBe(before)
})

test.each(['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1'])(
  'an operator who allows private networks reaches %s',
  async (host) => {
    await expect(own().fetch(`http://${host}:${port}/`, limits)).resolves.toMatchObject({ status: 200, text: 'ok' })
  },
)

test.each([
  'file:///etc/passwd',
  'ftp://example.com/',
  'gopher://example.com/',
  'data:text/plain,x',
  'unix:/run/x.sock',
  'nonsense',
  '',
])('only http and https are fetched, not %s', async (url) => {
  await expect(door().fetch(url, limits)).rejects.toMatchObject({ kind: 'refused' })
  await expect(door().webSocket(url, limits)).rejects.toMatchObject({ kind: 'refused' })
})

test.each([
  [['127.0.0.1']],
  [['10.1.2.3']],
  [['::1']],
  [['::ffff:127.0.0.1']],
  [['8.8.8.8', '127.0.0.1']],
  [['169.254.169.254', '8.8.8.8']],
])('a name that answers %s is refused', async (addresses) => {
  const before = reached
  const guarded = door({ lookup: async () => addresses })
  await expect(guarded.fetch(`http://rebind.test:${port}/`, limits)).rejects.toMatchObject({ kind: 'refused' })
  await expect(guarded.webSocket(`ws://rebind.test:${port}/`, limits)).rejects.toMatchObject({ kind: 'refused' })
  expect(reached).toBe(before)
})

/** This door treats loopback as public and all else as private, so that real redirects can be tested. */
function fetchAsIfPublic(url: string, lookup: (name: string) => Promise<string[]>) {
  const connect = guardedConnector({ isAllowed: (address) => address === '127.0.0.1', lookup })
  return fetchFollowingRedirects(new Agent({ connect }), url, limits)
}

test('the connection goes to the checked address, even if the name changes', async () => {
  const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']]
  const lookup = vi.fn(async () => answers.shift() ?? [])
  await expect(fetchAsIfPublic(`http://rebind.test:${port}/`, lookup)).resolves.toMatchObject({ text: 'ok' })
  expect(lookup).toHaveBeenCalledTimes(1)
  const before = reached
  await expect(fetchAsIfPublic(`http://rebind.test:${port}/`, lookup)).rejects.toMatchObject({ kind: 'refused' })
  expect(reached).toBe(before)
})

test('a name without an address, or a failed lookup, is a clear failure', async () => {
  await expect(door({ lookup: async () => [] }).fetch('http://empty.test/', limits)).rejects.toMatchObject({
    kind: 'failed',
    message: 'The name empty.test has no address.',
  })
  const notFound = async () => {
    throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })
  }
  await expect(door({ lookup: notFound }).fetch('http://gone.test/', limits)).rejects.toMatchObject({
    message: 'The name of gone.test does not exist.',
  })
})

test.each([
  'http://[::1]/',
  'http://[::ffff:7f00:1]/',
  'http://0x0a000001/',
  'http://169.254.169.254/latest/meta-data/',
  '//10.0.0.1/',
  'http://private.test/',
  'file:///etc/passwd',
])('a redirect to %s is checked again', async (location) => {
  const before = reached
  answer = (_request, response) => response.writeHead(302, { location }).end()
  const lookup = async (name: string) => [name === 'start.test' ? '127.0.0.1' : '10.0.0.1']
  await expect(fetchAsIfPublic(`http://start.test:${port}/`, lookup)).rejects.toMatchObject({ kind: 'refused' })
  expect(reached).toBe(before + 1)
})

test('proxies of the environment are ignored', async () => {
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1')
  vi.stubEnv('http_proxy', 'http://127.0.0.1:1')
  vi.stubEnv('ALL_PROXY', 'http://127.0.0.1:1')
  await expect(own().fetch(here(), limits)).resolves.toMatchObject({ text: 'ok' })
  vi.unstubAllEnvs()
})

test('a redirect within the origin keeps the headers, one to another origin drops every header of the tenant', async () => {
  const seen: Record<string, unknown>[] = []
  answer = (request, response) => {
    seen.push({ url: request.url, key: request.headers['x-api-key'], auth: request.headers.authorization })
    if (request.url === '/a') return void response.writeHead(302, { location: '/b' }).end()
    if (request.url === '/b') return void response.writeHead(302, { location: `http://localhost:${port}/c` }).end()
    return void response.end('there')
  }
  const headers = { 'X-Api-Key': 'k', Authorization: 'Bearer t', Cookie: 'c=1' }
  const response = await own().fetch(here('/a'), { ...limits, headers })
  expect(response).toMatchObject({ text: 'there', url: `http://localhost:${port}/c` })
  expect(seen).toEqual([
    { url: '/a', key: 'k', auth: 'Bearer t' },
    { url: '/b', key: 'k', auth: 'Bearer t' },
    { url: '/c', key: undefined, auth: undefined },
  ])
})

test.each([
  [301, 'GET', ''],
  [302, 'GET', ''],
  [303, 'GET', ''],
  [307, 'POST', 'body'],
  [308, 'POST', 'body'],
])('a %i after a POST is followed as %s', async (status, method, body) => {
  answer = async (request, response) => {
    if (request.url === '/a') return void response.writeHead(status, { location: '/b' }).end('moved')
    const chunks = await request.toArray()
    return void response.end(`${request.method} ${Buffer.concat(chunks)}`)
  }
  const response = await own().fetch(here('/a'), { ...limits, method: 'POST', body: 'body' })
  expect(response.text).toBe(`${method} ${body}`)
})

test('a redirect loop ends after five', async () => {
  const before = reached
  answer = (_request, response) => response.writeHead(302, { location: '/' }).end()
  await expect(own().fetch(here(), limits)).rejects.toMatchObject({ kind: 'failed', message: /more than 5 times/ })
  expect(reached - before).toBe(6)
})

test('any status is an answer, and HTML is text', async () => {
  answer = (_request, response) => response.writeHead(429, { 'retry-after': '7' }).end('<html>slow down</html>')
  await expect(own().fetch(here(), limits)).resolves.toMatchObject({
    status: 429,
    headers: { 'retry-after': '7' },
    text: '<html>slow down</html>',
  })
})

test('a 50 MB body is cut at the limit, declared or not', async () => {
  let written = 0
  answer = (_request, response) => {
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    const write = () => {
      while (written < 50 && !response.destroyed) {
        written += 1
        if (!response.write(chunk)) return void response.once('drain', write)
      }
      response.end()
    }
    write()
  }
  const tooLarge = { kind: 'too_large', message: `127.0.0.1:${port} answered more than 1024 bytes.` }
  await expect(own().fetch(here(), limits)).rejects.toMatchObject(tooLarge)
  expect(written).toBeLessThan(20)
  answer = (_request, response) => response.writeHead(200, { 'content-length': 50 * 1024 * 1024 }).flushHeaders()
  await expect(own().fetch(here(), limits)).rejects.toMatchObject(tooLarge)
})

test('a gzip bomb is counted after decompression', async () => {
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
  answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  await expect(own().fetch(here(), { ...limits, responseBytesMax: 262_144 })).rejects.toMatchObject({
    kind: 'too_large',
  })
})

test('compressed bodies are read, broken ones are an error', async () => {
  answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello'))
  await expect(own().fetch(here(), limits)).resolves.toMatchObject({ text: 'hello' })
  answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip')
  await expect(own().fetch(here(), limits)).rejects.toMatchObject({ kind: 'bad_answer' })
  answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end('x')
  await expect(own().fetch(here(), limits)).rejects.toMatchObject({ kind: 'bad_answer' })
})

test.each<[string, RequestListener]>([
  ['says nothing', () => undefined],
  ['stops after its headers', (_request, response) => response.writeHead(200).flushHeaders()],
  ['drips', (_request, response) => void setInterval(() => response.write('.'), 20).unref()],
])('a call to a server that %s ends at its deadline', async (_how, listener) => {
  answer = listener
  await expect(own().fetch(here(), { ...limits, timeoutMs: 200 })).rejects.toMatchObject({
    kind: 'timeout',
    message: `127.0.0.1:${port} did not answer within 200 ms.`,
  })
})

test('the timeout covers all redirects together', async () => {
  answer = (_request, response) => void setTimeout(() => response.writeHead(302, { location: '/' }).end(), 80)
  await expect(own().fetch(here(), { ...limits, timeoutMs: 200 })).rejects.toMatchObject({ kind: 'timeout' })
})

test('the timer of the timeout ends with the reply', async () => {
  const set = vi.spyOn(globalThis, 'setTimeout')
  const cleared = vi.spyOn(globalThis, 'clearTimeout')
  const timeoutMs = 4_321
  await own().fetch(here(), { ...limits, timeoutMs })
  const at = set.mock.calls.findIndex(([, ms]) => ms === timeoutMs)
  const timer = set.mock.results[at]?.value
  expect(timer).toBeDefined()
  expect(cleared.mock.calls).toContainEqual([timer])
  vi.restoreAllMocks()
})

test('errors of a connection name only the host', async () => {
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const free = (closed.address() as AddressInfo).port
  await new Promise((resolve) => closed.close(resolve))
  await expect(own().fetch(`http://me:secret@127.0.0.1:${free}/key?token=t`, limits)).rejects.toMatchObject({
    kind: 'failed',
    message: `127.0.0.1:${free} refused the connection.`,
  })
  answer = (request) => request.socket.destroy()
  await expect(own().fetch(here('/secret'), limits)).rejects.toMatchObject({
    message: `127.0.0.1:${port} closed the connection.`,
  })
  answer = (request) => request.socket.end('SSH-2.0-OpenSSH\r\n')
  await expect(own().fetch(here(), limits)).rejects.toMatchObject({ kind: 'bad_answer' })
  await expect(own().fetch(here().replace('http:', 'https:'), limits)).rejects.toMatchObject({
    message: /secure connection/,
  })
})

test('a connection that was closed while idle is replaced; a call on a new connection is not repeated', async () => {
  const kept = own()
  for (let round = 0; round < 20; round += 1) {
    await expect(kept.fetch(here(), { ...limits, method: 'POST', body: 'x' })).resolves.toMatchObject({ text: 'ok' })
    server.closeAllConnections()
  }
  const before = reached
  answer = (request) => request.socket.destroy()
  await expect(own().fetch(here(), limits)).rejects.toMatchObject({ kind: 'failed' })
  expect(reached).toBe(before + 1)
})

test('a user in the URL becomes basic authentication and leaves the URL', async () => {
  answer = (request, response) => response.end(request.headers.authorization)
  const response = await own().fetch(here().replace('//', '//me:p%40ss@'), limits)
  expect(response).toMatchObject({ text: `Basic ${Buffer.from('me:p@ss').toString('base64')}`, url: here() })
})

test('the door sets the headers of the connection, and refuses a line break', async () => {
  answer = (request, response) => response.end(JSON.stringify(request.headers))
  const headers = { Host: 'internal', 'Content-Length': '9', 'Transfer-Encoding': 'chunked', Connection: 'upgrade' }
  const response = await own().fetch(here(), { ...limits, headers })
  expect(JSON.parse(response.text)).toMatchObject({ host: `127.0.0.1:${port}` })
  expect(response.text).not.toContain('internal')
  await expect(own().fetch(here(), { ...limits, headers: { a: 'x\r\nb: y' } })).rejects.toMatchObject({
    kind: 'failed',
  })
})
