import { createServer, type IncomingMessage } from 'node:http'
import { allHandlers, BuildBlockMode, GenesisProvider, setup } from '@acala-network/chopsticks-core'
import { rococo_v2_2_asset_hub as chainSpec } from '@substrate/connect-known-chains'
import { type WebSocket, WebSocketServer } from 'ws'

/**
 * Chopsticks in its own process, because its workers never end: the real runtime of a real chain's genesis.
 * It reports its port when it serves, and ends with the channel to its parent, so it never outlives the test.
 */
const chain = await setup({
  genesis: new GenesisProvider(JSON.parse(chainSpec)),
  buildBlockMode: BuildBlockMode.Manual,
})

type Request = { id?: unknown; method: string; params?: unknown[] }

/** Announcements go over the web socket that subscribed. */
type Subscriptions = {
  subscribe(method: string, id: string, onCancel?: () => void): (result: unknown) => void
  unsubscribe(id: string): void
}

const none: Subscriptions = {
  subscribe: () => {
    throw new Error('subscriptions take a web socket')
  },
  unsubscribe: () => undefined,
}

function over(socket: WebSocket): Subscriptions {
  const cancels = new Map<string, () => void>()
  const unsubscribe = (id: string) => {
    cancels.get(id)?.()
    cancels.delete(id)
  }
  socket.on('close', () => [...cancels.keys()].forEach(unsubscribe))
  return {
    unsubscribe,
    subscribe(method, subscription, onCancel) {
      cancels.set(subscription, () => onCancel?.())
      return (result) => socket.send(JSON.stringify({ jsonrpc: '2.0', method, params: { subscription, result } }))
    },
  }
}

const handlers = new Map(Object.entries(allHandlers))
/** Which parameter of a method is a block hash. For an unknown hash Chopsticks would return its genesis. */
const hashAt = new Map([
  ['chain_getBlock', 0],
  ['chain_getHeader', 0],
  ['state_getRuntimeVersion', 0],
  ['state_getMetadata', 0],
  ['state_getStorage', 1],
  ['state_call', 2],
])

async function isUnknownBlock(hash: unknown): Promise<boolean> {
  if (typeof hash !== 'string') return false
  for (let number = chain.head.number; number >= 0; number -= 1)
    if ((await chain.getBlockAt(number))?.hash === hash) return false
  return true
}

async function resultOf(method: string, params: unknown[], subscriptions: Subscriptions): Promise<object> {
  const handler = handlers.get(method)
  if (!handler) return { error: { code: -32601, message: 'Method not found' } }
  if (await isUnknownBlock(params[hashAt.get(method) ?? params.length]))
    return method.startsWith('chain_')
      ? { result: null }
      : { error: { code: 4003, message: 'Client error: UnknownBlock' } }
  try {
    return { result: (await handler({ chain }, params as never, subscriptions)) ?? null }
  } catch (error) {
    return { error: { code: -32000, message: error instanceof Error ? error.message : String(error) } }
  }
}

async function answer(text: string, subscriptions = none): Promise<string> {
  const body: Request | Request[] = JSON.parse(text)
  const one = async ({ id, method, params = [] }: Request) => ({
    ...{ jsonrpc: '2.0', id },
    ...(await resultOf(method, params, subscriptions)),
  })
  return JSON.stringify(Array.isArray(body) ? await Promise.all(body.map(one)) : await one(body))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString()
}

const server = createServer(async (request, response) => {
  const text = await answer(await bodyOf(request))
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)
})
new WebSocketServer({ server }).on('connection', (socket) => {
  const subscriptions = over(socket)
  socket.on('message', async (data) => socket.send(await answer(data.toString(), subscriptions)))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.send?.(address.port)
})
process.on('disconnect', () => process.exit(0))
