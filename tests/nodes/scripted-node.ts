import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export type ScriptedCall = { id: number; method: string; params: unknown[] }
/**
 * A reply: a text as it is, an object as JSON, an HTTP reply with its status, no reply (`hang`), a closed connection
 * (`cut`), a function that writes the HTTP response; or a promise of one of these.
 */
export type Said = unknown

/** A JSON-RPC server over HTTP and web socket that gives each call, or batch of calls, the reply that a test defines. */
export type ScriptedNode = {
  url: string
  wsUrl: string
  host: string
  /** The number of HTTP requests and web socket messages so far. */
  messages: number
  methods: string[]
  /** Sends a message over every open web socket. */
  push(message: object): void
  cut(): void
  close(): Promise<void>
}
type Script = (call: ScriptedCall) => Said
type Raw = { status: number; headers?: Record<string, string>; body?: unknown }

export async function startScriptedNode(
  script: Script,
  batchScript: (calls: ScriptedCall[]) => Said = (calls) => calls.map(script),
): Promise<ScriptedNode> {
  const server = createServer(async (request, response) => {
    write(response, await hear(Buffer.concat(await request.toArray()).toString()))
  })
  const sockets = new WebSocketServer({ server })
  const hear = (text: string): Said => {
    node.messages += 1
    const heard: ScriptedCall | ScriptedCall[] = JSON.parse(text)
    node.methods.push(...[heard].flat().map(({ method }) => method))
    return Array.isArray(heard) ? batchScript(heard) : script(heard)
  }
  sockets.on('connection', (socket) => socket.on('message', async (data) => tell(socket, await hear(data.toString()))))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const cut = () => {
    for (const socket of sockets.clients) socket.terminate()
  }
  const node: ScriptedNode = {
    ...{ url: `http://${host}/`, wsUrl: `ws://${host}/`, host, messages: 0, methods: [], cut },
    push(message) {
      for (const socket of sockets.clients) socket.send(JSON.stringify(message))
    },
    async close() {
      cut()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return node
}

function write(response: ServerResponse, said: Said): void {
  if (said === 'hang') return
  if (said === 'cut') return void response.destroy()
  if (typeof said === 'function') return void said(response)
  const { status, headers = {}, body } = isRaw(said) ? said : { status: 200, body: said }
  response.writeHead(status, headers).end(textOf(body))
}

function tell(socket: WebSocket, said: Said): void {
  if (said === 'cut') socket.terminate()
  else if (said !== 'hang') socket.send(textOf(said))
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

function isRaw(said: unknown): said is Raw {
  return typeof said === 'object' && said !== null && 'status' in said
}
