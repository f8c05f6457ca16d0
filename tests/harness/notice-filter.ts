import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy before PostgreSQL that loses the notices of some channels, as a broken network or a pooling proxy does. */
export type NoticeFilter = { url: string; lost: string[]; cut(): void; close(): Promise<void> }

export async function startNoticeFilter(
  databaseUrl: string,
  loses: (channel: string) => boolean,
): Promise<NoticeFilter> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const lost: string[] = []
  const server = createServer((client) => {
    const database = connect(Number(port), hostname)
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        database.destroy()
      })
    }
    client.pipe(database)
    passMessages(database, client, (channel) => {
      if (loses(channel)) lost.push(channel)
      return !loses(channel)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const close = async () => {
    cut()
    server.close()
    await once(server, 'close')
  }
  return { url: url.href, lost, cut, close }
}

const noticeType = 'A'.charCodeAt(0)

/** A message has one byte of type and four of length. A notice has a process id of four bytes and then its channel. */
function passMessages(from: Socket, to: Socket, mayPass: (channel: string) => boolean): void {
  let rest = Buffer.alloc(0)
  from.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const message = rest.subarray(0, 1 + rest.readUInt32BE(1))
      rest = rest.subarray(message.length)
      const channel = message.toString('utf8', 9, message.indexOf(0, 9))
      if (message[0] !== noticeType || mayPass(channel)) to.write(message)
    }
  })
}
