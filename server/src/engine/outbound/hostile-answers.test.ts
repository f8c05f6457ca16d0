import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { openDoor } from './index.ts'

/** What a receiver of webhooks may answer, byte by byte. */
const door = openDoor({ allowPrivateNetworks: true })
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})
afterAll(() => door.close())

/** A receiver that sends these bytes for each request, in pieces of this size. It closes the connection if `closes` is set. */
async function receiver(bytes: string, { size = bytes.length, closes = false } = {}): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', async () => {
      for (let at = 0; at < bytes.length; at += size) {
        socket.write(bytes.slice(at, at + size), 'latin1')
        await nextTurn()
      }
      if (closes) socket.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const post = (url: string, timeoutMs = 5_000) =>
  door.post(url, { headers: {}, body: '{}', timeoutMs, responseBytesMax: 64 })
const lines = (...all: string[]) => all.join('\r\n')

test.each([
  ['a length', lines('HTTP/1.1 200 OK', 'Content-Length: 5', '', 'hello'), { status: 200, text: 'hello' }],
  ['nothing', lines('HTTP/1.1 204 No Content', '', ''), { status: 204, text: '' }],
  [
    'chunks',
    lines('HTTP/1.1 201 Created', 'Transfer-Encoding: chunked', '', '3;a=b', 'hel', '02', 'lo', '0', 'x: y', '', ''),
    { status: 201, text: 'hello' },
  ],
  // The chunks say where it ends. Nothing is decompressed, so no more than the limit is kept.
  [
    'an encoding beside the chunks',
    lines('HTTP/1.1 200 OK', 'transfer-encoding: gzip, chunked', '', '2', 'hi', '0', '', ''),
    { status: 200, text: 'hi' },
  ],
  [
    'an announcement',
    lines('HTTP/1.1 103 Early Hints', '', 'HTTP/1.1 429 Slow down', 'Retry-After: 3', 'content-length: 0', '', ''),
    { status: 429, headers: { 'retry-after': '3' } },
  ],
])('an answer with %s is read, also byte by byte', async (_, bytes, expected) => {
  expect(await post(await receiver(bytes))).toMatchObject(expected)
  expect(await post(await receiver(bytes, { size: 1 }))).toMatchObject(expected)
})

test('an answer without a length ends with the connection, and one that ends too early is no answer', async () => {
  const open = await receiver(lines('HTTP/1.1 200 OK', '', 'hello'), { closes: true })
  expect(await post(open)).toMatchObject({ status: 200, text: 'hello' })
  const short = await receiver(lines('HTTP/1.1 200 OK', 'content-length: 10', '', 'hello'), { closes: true })
  await expect(post(short)).rejects.toMatchObject({ kind: 'failed' })
})

test('bytes after an answer are never the answer to the next request', async () => {
  const forged = lines('HTTP/1.1 200 OK', 'content-length: 6', '', 'forged')
  const url = await receiver(lines('HTTP/1.1 500 No', 'content-length: 3', '', `own${forged}`))
  for (let request = 0; request < 5; request++) expect(await post(url)).toMatchObject({ status: 500, text: 'own' })
})

test.each([
  ['no HTTP', lines('SSH-2.0-OpenSSH', '', '')],
  ['two lengths', lines('HTTP/1.1 200 OK', 'content-length: 1', 'content-length: 2', '', 'xx')],
  ['a length that is none', lines('HTTP/1.1 200 OK', 'content-length: +1', '', 'x')],
  ['a length and chunks', lines('HTTP/1.1 200 OK', 'content-length: 1', 'transfer-encoding: chunked', '', '0', '', '')],
  ['a size that is none', lines('HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', '-1', '', '')],
  ['a chunk longer than its size', lines('HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', '1', 'xx', '0', '')],
  ['a folded header', lines('HTTP/1.1 200 OK', 'a: b', ' c', 'content-length: 0', '', '')],
  ['a header without a name', lines('HTTP/1.1 200 OK', ': b', '', '')],
  ['headers without end', `HTTP/1.1 200 OK\r\na: ${'x'.repeat(20_000)}`],
  ['another protocol', lines('HTTP/1.1 101 Switching', 'upgrade: x', 'connection: upgrade', '', '')],
])('%s is refused', async (_, bytes) => {
  await expect(post(await receiver(bytes))).rejects.toMatchObject({
    kind: expect.stringMatching(/bad_answer|failed/),
  })
})
