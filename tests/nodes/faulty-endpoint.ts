import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

export type Call = { id: unknown; method: string; params: unknown[] }

/** What happens to a call: undefined lets it through, `result` and `error` answer it, a function has the response. */
export type Fault = { result: unknown } | { error: object } | ((response: ServerResponse) => void) | undefined

type FaultOf = (call: Call) => Fault | Promise<Fault>
/** The node's own web socket, and what becomes of its announcements; one that becomes undefined is not passed on. */
type Announcing = { wsUrl: string; announce: (result: unknown) => unknown }

/** Stands before a node and answers some calls in its place, also those of a batch. */
export async function faultyEndpoint(url: string, fault: FaultOf, announcing?: Announcing) {
  const calls: string[] = []
  /** How many HTTP requests came. */
  const requests = { count: 0 }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    requests.count += 1
    const sent: Call | Call[] = JSON.parse(body)
    const all = [sent].flat()
    calls.push(...all.map(({ method }) => method))
    const faults = await Promise.all(all.map((call) => fault(call)))
    const whole = faults.find((found) => typeof found === 'function')
    if (typeof whole === 'function') return whole(response)
    // The node may be gone before whoever still asks it.
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

/** One socket of the node for each that is opened here. An HTTP fault has no form here: it ends the socket. */
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

/** Answers pass as they are; only announcements have `params.subscription`. */
function announcementOf(text: string, announce: Announcing['announce']): string | undefined {
  const message = JSON.parse(text)
  if (message.params?.subscription === undefined) return text
  const result = announce(message.params.result)
  return result === undefined ? undefined : JSON.stringify({ ...message, params: { ...message.params, result } })
}
