import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Call } from './solana-rpc.ts'

type Slot = { slot: number; parent: number; root: number }

/** JSON-RPC on one free port, over HTTP with batches and over web socket with `slotSubscribe`. */
export async function serveSolana(respond: (call: Call) => string) {
  const server = createServer(async (request, response) => {
    const sent: Call | Call[] = JSON.parse(Buffer.concat(await request.toArray()).toString())
    response.setHeader('content-type', 'application/json')
    response.end(Array.isArray(sent) ? `[${sent.map(respond).join(',')}]` : respond(sent))
  })
  const sockets = new WebSocketServer({ server })
  const subscribed = new Map<number, WebSocket>()
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => socket.send(hear(socket, JSON.parse(data.toString()))))
  })
  const hear = (socket: WebSocket, call: Call): string => {
    const result = subscription(call, socket, subscribed)
    return result === undefined ? respond(call) : JSON.stringify({ jsonrpc: '2.0', id: call.id, result })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    announce(result: Slot) {
      for (const [subscription, socket] of subscribed)
        socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'slotNotification', params: { result, subscription } }))
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

let lastId = 0

/** Undefined for other calls. */
function subscription({ method, params }: Call, socket: WebSocket, subscribed: Map<number, WebSocket>) {
  if (method === 'slotUnsubscribe') return subscribed.delete(Number(params?.[0]))
  if (method !== 'slotSubscribe') return undefined
  lastId += 1
  const id = lastId
  subscribed.set(id, socket)
  socket.on('close', () => subscribed.delete(id))
  return id
}
