import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Call = { id: unknown; method: string; params: unknown[] }

/** What happens to a call: undefined lets it through, `result` and `error` answer it, a function has the response. */
export type Fault = { result: unknown } | { error: object } | ((response: ServerResponse) => void) | undefined

/** Stands before a node and answers some calls in its place. */
export async function faultyEndpoint(url: string, fault: (call: Call) => Fault | Promise<Fault>) {
  const calls: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const call: Call = JSON.parse(body)
    calls.push(call.method)
    const found = await fault(call)
    if (typeof found === 'function') return found(response)
    const text = found
      ? JSON.stringify({ jsonrpc: '2.0', id: call.id, ...found })
      : await (await fetch(url, { method: 'POST', body })).text()
    response.setHeader('content-type', 'application/json').end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, close }
}
