import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

export type Call = { id: unknown; method: string; params: unknown[] }

/** The fate of a call: undefined passes it on, `result` and `error` are the reply, a function writes the HTTP response. */
export type Fault = { result: unknown } | { error: object } | ((response: ServerResponse) => void) | undefined

type FaultOf = (call: Call) => Fault | Promise<Fault>
/** The node's web socket, and a function that changes its announcements; undefined drops one. */
type Announcing = { wsUrl: string; announce: (result: unknown) => unknown }

/** A proxy in front of a node that answers some calls itself, also inside a batch. */
export async function faultyEndpoint(url: string, fault: FaultOf, announcing?: Announcing) {
  const calls: string[] = []
  /** The number of HTTP requests so far. */
  const requests = { count: 0 }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    requests.count += 1
    const sent: Call | Call[] = JSON.parse(body)
    const all = [sent].flat()
    calls.push(...all.map(({ method }) => method))
    // The node may be stopped before its last caller. A fault may ask the node too.
    const faults = await Promise.all(all.map((call) => fault(call))).catch(() => undefined)
    if (!faults) return void response.destroy()
    const whole = faults.find((found) => typeof found === 'function')
    if (typeof whole === 'function') return whole(response)
    const texts = await Promise.all(all.map((call, at) => answerOf(url, call, faults[at]))).catch(() => undefined)
    if (!texts) return void response.destroy()
    response.setHeader('content-type', 'application/json').end(Array.isArray(sent) ? `[${texts.join()}]` : texts[0])
  })
  const overSocket: FaultOf = (call) => {
    calls.push(call.method)
    return fault(call)
  }
  const sockets = announcing && passSockets(server, announcing, overSocket)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    for (const socket of sockets?.clients ?? []) socket.terminate()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `http://${host}`, wsUrl: `ws://${host}`, host, calls, requests, close }
}

async function answerOf(url: string, call: Call, found: Fault): Promise<string> {
  if (found) return faultText(call, found)
  return (await fetch(url, { method: 'POST', body: JSON.stringify(call) })).text()
}

function faultText({ id }: Call, found: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, ...found })
}

/** Opens one socket to the node per client socket. A fault that only exists in HTTP closes the socket. */
function passSockets(server: Server, { wsUrl, announce }: Announcing, fault: FaultOf): WebSocketServer {
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (client) => {
    const node = new WebSocket(wsUrl)
    const opened = once(node, 'open')
    opened.catch(() => client.terminate())
    node.on('close', () => client.close())
    client.on('close', () => node.terminate())
    node.on('message', (data) => {
      const text = announcementOf(String(data), announce)
      if (text !== undefined) client.send(text)
    })
    client.on('message', async (data) => {
      const call: Call = JSON.parse(String(data))
      const found = await fault(call)
      if (typeof found === 'function') return client.terminate()
      if (found) return client.send(faultText(call, found))
      await opened.then(() => node.send(String(data))).catch(() => client.terminate())
    })
  })
  return sockets
}

/** Replies pass unchanged; only announcements have `params.subscription`. */
function announcementOf(text: string, announce: Announcing['announce']): string | undefined {
  const message = JSON.parse(text)
  if (message.params?.subscription === undefined) return text
  const result = announce(message.params.result)
  return result === undefined ? undefined : JSON.stringify({ ...message, params: { ...message.params, result } })
}
