import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type OpenDoor, openDoor } from './index.ts'

let server: Server
let url = ''
let connections = 0
let answer: RequestListener = (_request, response) => void response.end()
let door: OpenDoor
beforeAll(async () => {
  server = createServer((request, response) => answer(request, response))
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  door = openDoor({ allowPrivateNetworks: true })
})
afterEach(() => {
  answer = (_request, response) => void response.end()
})
afterAll(async () => {
  await door.close()
  server.closeAllConnections()
  server.close()
})

const asked = {
  headers: { 'content-type': 'application/json' },
  body: '{"a":1}',
  timeoutMs: 5_000,
  responseBytesMax: 64,
}

test('a message arrives unchanged, and the answer is read up to its limit', async () => {
  answer = async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    response.writeHead(201, { 'retry-after': '3' }).end(`${request.method} ${request.url} ${body} ${'x'.repeat(1000)}`)
  }
  const sent = await door.post(`${url}/in?q=1`, asked)
  expect(sent).toMatchObject({ status: 201, headers: { 'retry-after': '3' } })
  expect(sent.text).toBe(`POST /in?q=1 {"a":1} ${'x'.repeat(64)}`.slice(0, 64))
  answer = (request, response) => void response.end(request.method)
  expect((await door.post(url, { ...asked, method: 'PATCH' })).text).toBe('PATCH')
})

test('a redirect is an answer and is not followed', async () => {
  const seen: (string | undefined)[] = []
  answer = (request, response) => {
    seen.push(request.url)
    response.writeHead(307, { location: '/elsewhere' }).end()
  }
  expect((await door.post(`${url}/here`, asked)).status).toBe(307)
  expect(seen).toEqual(['/here'])
})

test('one connection serves many messages, also after unread answers', async () => {
  answer = (_request, response) => void response.end('x'.repeat(10_000))
  connections = 0
  for (let count = 0; count < 20; count += 1) await door.post(url, { ...asked, responseBytesMax: 0 })
  expect(connections).toBeLessThanOrEqual(1)
})

test('calls beyond the connection limit wait, and each gets its own answer', async () => {
  let open = 0
  let openMax = 0
  answer = async (request, response) => {
    openMax = Math.max(openMax, ++open)
    const body = Buffer.concat(await request.toArray()).toString()
    await new Promise((resolve) => setImmediate(resolve))
    open -= 1
    response.end(body)
  }
  const bodies = Array.from({ length: 300 }, (_, at) => `message ${at} ä`)
  const sent = await Promise.all(bodies.map((body) => door.post(url, { ...asked, body })))
  expect(sent.map(({ text }) => text)).toEqual(bodies)
  expect(openMax).toBeLessThanOrEqual(64)
})

test('a header value cannot add another header', async () => {
  let reached = 0
  answer = (_request, response) => {
    reached += 1
    response.end()
  }
  const broken: Record<string, string>[] = [{ 'x-a': 'b\r\nx-c: d' }, { 'x-a: b\r\nx-c': 'd' }]
  for (const headers of broken)
    await expect(door.post(url, { ...asked, headers })).rejects.toMatchObject({ kind: 'failed' })
  expect(reached).toBe(0)
})

test('an answer that is not HTTP is a bad answer', async () => {
  const strange = createTcpServer((socket) => void socket.end('220 mail.example.org ESMTP\r\n\r\n'))
  await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', resolve))
  const place = `http://127.0.0.1:${(strange.address() as AddressInfo).port}`
  await expect(door.post(place, asked)).rejects.toMatchObject({ kind: 'bad_answer' })
  strange.close()
})

test('an endless answer is cut, and its status counts', async () => {
  answer = (_request, response) => {
    response.writeHead(200)
    const pump = () => {
      while (response.write('x'.repeat(16_384))) if (response.destroyed) return
      response.once('drain', pump)
    }
    pump()
  }
  expect((await door.post(url, asked)).status).toBe(200)
})

test('a call without an answer ends at the deadline, on a reused connection, a new one, and one that never opens', async () => {
  const late = { ...asked, timeoutMs: 50 }
  expect((await door.post(url, asked)).status).toBe(200)
  let reached = 0
  answer = () => {
    reached += 1
  }
  await expect(door.post(url, late)).rejects.toMatchObject({ kind: 'timeout' })
  expect(reached).toBe(1)
  await expect(door.post(url, late)).rejects.toMatchObject({
    kind: 'timeout',
    message: expect.stringContaining('50 ms'),
  })
  // Accepts connections but never answers the TLS handshake, so the connection never opens.
  const mute = createTcpServer(() => undefined)
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
  const place = `https://127.0.0.1:${(mute.address() as AddressInfo).port}`
  await expect(door.post(place, late)).rejects.toMatchObject({ kind: 'timeout' })
  mute.close()
})

test('a connection that was closed while idle is replaced; a call on a new connection is not repeated', async () => {
  for (let round = 0; round < 20; round += 1) {
    expect((await door.post(url, asked)).status).toBe(200)
    server.closeAllConnections()
  }
  let reached = 0
  answer = (request) => {
    reached += 1
    request.socket.destroy()
  }
  const fresh = openDoor({ allowPrivateNetworks: true })
  await expect(fresh.post(url, asked)).rejects.toMatchObject({ kind: 'failed' })
  expect(reached).toBe(1)
  await fresh.close()
})

test.each([
  'http://127.0.0.1',
  'http://[::1]',
  'http://169.254.169.254',
  'http://10.0.0.1',
  'ftp://example.org',
  'nonsense',
])('a guarded door posts nothing to %s', async (address) => {
  const guarded = openDoor({ allowPrivateNetworks: false })
  await expect(guarded.post(address, asked)).rejects.toMatchObject({ kind: 'refused' })
  await guarded.close()
})

test('a cancelled call fails at once, before and after it was sent', async () => {
  const asking = new AbortController()
  const arrived = Promise.withResolvers<void>()
  answer = () => arrived.resolve()
  const waiting = door.post(url, { ...asked, timeoutMs: 60_000, signal: asking.signal })
  await arrived.promise
  asking.abort()
  await expect(waiting).rejects.toThrow('was cancelled')
  await expect(door.post(url, { ...asked, timeoutMs: 60_000, signal: asking.signal })).rejects.toThrow('was cancelled')
  answer = (_request, response) => void response.end('still there')
  expect((await door.post(url, asked)).text).toBe('still there')
})
