import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { deflateRawSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { openDoor } from './index.ts'

/** A real server that opens web sockets by hand, because it must break the protocol. */

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Opened = { request: IncomingMessage; socket: Duplex }

async function serve(extensions: string | undefined): Promise<{ url: string; opened: Promise<Opened> }> {
  const server = createServer()
  const { promise: opened, resolve } = Promise.withResolvers<Opened>()
  server.on('upgrade', (request, socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${createHash('sha1').update(key).digest('base64')}`,
      ...(extensions === undefined ? [] : [`Sec-WebSocket-Extensions: ${extensions}`]),
    ]
    socket.on('error', () => undefined)
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    resolve({ request, socket })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  closing.push(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  return { url: `ws://127.0.0.1:${port}/`, opened }
}

/** A whole text message; `isCompressed` sets the bit of permessage-deflate. */
function frame(bytes: Buffer, isCompressed: boolean): Buffer {
  const head = Buffer.alloc(10)
  head[0] = 0x81 | (isCompressed ? 0x40 : 0)
  head[1] = 127
  head.writeBigUInt64BE(BigInt(bytes.length), 2)
  return Buffer.concat([head, bytes])
}

function open(url: string, messageBytesMax = 128 * 1024 * 1024): Promise<WebSocket> {
  const door = openDoor({ allowPrivateNetworks: true })
  closing.push(() => door.close())
  return door.webSocket(url, { timeoutMs: 30_000, messageBytesMax })
}

/** The messages until the socket is closed. */
function messagesOf(socket: WebSocket): Promise<string[]> {
  const messages: string[] = []
  socket.addEventListener('message', ({ data }) => messages.push(data))
  return new Promise((resolve) => socket.addEventListener('close', () => resolve(messages)))
}

test('a web socket offers no compression, and a compressed message closes it unread', async () => {
  const { url, opened } = await serve(undefined)
  const socket = await open(url)
  const messages = messagesOf(socket)
  const { request, socket: theirs } = await opened
  expect(request.headers['sec-websocket-extensions']).toBeUndefined()
  theirs.write(frame(Buffer.from('plain'), false))
  theirs.write(frame(deflateRawSync(Buffer.alloc(64 * 1024 * 1024)), true))
  expect(await messages).toEqual(['plain'])
})

test('a server that compresses although nobody offered it is refused', async () => {
  const { url } = await serve('permessage-deflate; server_no_context_takeover')
  await expect(open(url)).rejects.toMatchObject({ kind: 'failed' })
})

test('a message above the limit closes the socket unread', async () => {
  const { url, opened } = await serve(undefined)
  const messages = messagesOf(await open(url, 1_000))
  const { socket: theirs } = await opened
  theirs.write(frame(Buffer.alloc(1_000, 'a'), false))
  theirs.write(frame(Buffer.alloc(1_001, 'a'), false))
  expect(await messages).toEqual(['a'.repeat(1_000)])
})
