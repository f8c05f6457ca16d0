import type { Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Block, Chain } from './chain.ts'
import { makeChance } from './chance.ts'

/** What a web socket announces: each head, each head late, one old head again and again, or an older head after each new one. */
export type SocketFault = 'in-time' | 'late' | 'repeated' | 'older'

const faults: readonly SocketFault[] = ['in-time', 'late', 'repeated', 'older']
const lookMs = 20
/** The old head that is repeated is that of this announcement. */
const repeatedAfter = 5

/** Every second chain has a web socket as its first endpoint. */
export function socketOf(seed: number): SocketFault | undefined {
  const chance = makeChance(seed + 4e6)
  return chance.happens(0.5) ? faults[chance.below(faults.length)] : undefined
}

type Sockets = {
  chain: Chain
  fault: SocketFault
  headerOf(block: Block): unknown
  /** The answer to a message; `hang` leaves it open, and `cut` closes the socket. */
  answer(text: string): string | 'hang' | 'cut'
}
type Subscriber = { socket: WebSocket; id: string }

/** Serves the node over web sockets too, and announces its heads with the fault. Returns what ends it. */
export function serveSockets(server: Server, { chain, fault, headerOf, answer }: Sockets): () => void {
  const sockets = new WebSocketServer({ server })
  const subscribers: Subscriber[] = []
  const hear = (socket: WebSocket, text: string) => {
    const { id, method } = JSON.parse(text) as { id: unknown; method: string }
    if (method === 'eth_unsubscribe') return socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: true }))
    if (method === 'eth_subscribe') {
      const subscription = `0x${subscribers.push({ socket, id: `0x${subscribers.length}` }) - 1}`
      return socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: subscription }))
    }
    const said = answer(text)
    if (said === 'cut') return socket.terminate()
    if (said !== 'hang') socket.send(said)
  }
  sockets.on('connection', (socket) => {
    socket.on('error', () => socket.terminate())
    socket.on('message', (data) => hear(socket, String(data)))
  })
  const send = (block: Block) => {
    for (const { socket, id } of subscribers)
      if (socket.readyState === socket.OPEN)
        socket.send(
          JSON.stringify({
            jsonrpc: '2.0',
            method: 'eth_subscription',
            params: { subscription: id, result: headerOf(block) },
          }),
        )
  }
  const announced: Block[] = []
  const announce = (block: Block) => {
    announced.push(block)
    const old = announced[repeatedAfter]
    if (fault === 'repeated') return send(old ?? block)
    if (fault !== 'late') send(block)
    else setTimeout(() => send(block), 1_500).unref()
    const older = announced.at(-3)
    if (fault === 'older' && older) send(older)
  }
  const timer = setInterval(() => {
    if (chain.head !== announced.at(-1)) announce(chain.head)
  }, lookMs)
  return () => {
    clearInterval(timer)
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
  }
}
