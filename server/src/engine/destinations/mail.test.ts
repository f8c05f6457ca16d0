import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { makeMailer } from './mail.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** An SMTP server that is silent, or sends single bytes and never ends its line. */
async function slowServer(drip: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    drip(socket)
    ends.push(() => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => server.close())
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const letter = { to: 'ann@example.org', subject: 'a', text: 'b', html: 'c', messageId: '<1@example.org>', headers: {} }

test.each([
  ['its greeting', ''],
  ['its answer to the first command', '220 slow.example.org\r\n'],
])('a server that sends %s byte by byte is ended by the timeout', async (_what, greeting) => {
  const smtpUrl = await slowServer((socket) => {
    socket.write(greeting)
    const timer = setInterval(() => socket.write('2'), 10)
    socket.once('close', () => clearInterval(timer))
  })
  const mailer = makeMailer({ smtpUrl, from: 'alerts@example.org', sendMs: 300 })
  await expect(mailer.send(letter)).rejects.toThrow('took longer than 0.3 s')
  // The next message uses a new connection.
  await expect(mailer.send(letter)).rejects.toThrow('took longer than 0.3 s')
  mailer.close()
})
