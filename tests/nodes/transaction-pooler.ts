import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, connect as dial, type Socket } from 'node:net'

/**
 * A pooler in transaction mode, as PgBouncer is with `pool_mode = transaction`: each transaction of a client runs on any free
 * connection to the server. It speaks as much of PostgreSQL's protocol as that takes, for a server that needs a password
 * which the clients send too: the first client of each server connection signs in through it.
 */
export async function startTransactionPooler(serverUrl: string) {
  const { hostname, port } = new URL(serverUrl)
  const servers: ServerConnection[] = []
  const sockets = new Set<Socket>()
  const pooler = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {})
    void serve(client)
  }).listen(0, '127.0.0.1')
  await once(pooler, 'listening')

  /** Signs each client in on a connection of its own, which then joins the pool. */
  async function serve(client: Socket): Promise<void> {
    const own = new ServerConnection(dial(Number(port) || 5432, hostname))
    sockets.add(own.socket)
    let leased: ServerConnection | undefined = own
    own.client = client
    own.whenIdle = () => {
      servers.push(own)
      leased = undefined
    }
    client.on('data', (data) => {
      if (!leased) {
        leased = servers.pop()
        if (!leased) return void client.destroy()
        const server = leased
        server.client = client
        server.whenIdle = () => {
          servers.push(server)
          leased = undefined
        }
      }
      // Terminate ends the client and not the connection to the server.
      if (data[0] !== 'X'.charCodeAt(0)) leased.socket.write(data)
      else client.end()
    })
  }

  const url = new URL(serverUrl)
  url.host = `127.0.0.1:${(pooler.address() as AddressInfo).port}`
  return {
    url: url.href,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      pooler.close()
      await once(pooler, 'close')
    },
  }
}

/** Passes messages of the server on, and finds those that say that no transaction is open: `Z`, with the status `I`. */
class ServerConnection {
  readonly socket: Socket
  client: Socket | undefined
  whenIdle: () => void = () => {}
  #unread = Buffer.alloc(0)

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('data', (data: Buffer) => this.#read(data))
  }

  #read(data: Buffer): void {
    const { client } = this
    this.#unread = Buffer.concat([this.#unread, data])
    let isIdle = false
    while (this.#unread.length >= 5) {
      const length = this.#unread.readUInt32BE(1) + 1
      if (this.#unread.length < length) break
      if (this.#unread[0] === 'Z'.charCodeAt(0)) isIdle = this.#unread[5] === 'I'.charCodeAt(0)
      this.#unread = this.#unread.subarray(length)
    }
    client?.write(data)
    if (isIdle) this.whenIdle()
  }
}
