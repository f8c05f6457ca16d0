import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Call = { id: unknown; method: string; params: unknown[] }

/** What happens to a call: undefined lets it through, `result` and `error` answer it, a function has the response. */
export type Fault = { result: unknown } | { error: object } | ((response: ServerResponse) => void) | undefined

/** Stands before a node and answers some calls in its place, also those of a batch. */
export async function faultyEndpoint(url: string, fault: (call: Call) => Fault | Promise<Fault>) {
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
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, requests, close }
}

async function answerOf(url: string, call: Call, found: Fault): Promise<string> {
  if (found) return JSON.stringify({ jsonrpc: '2.0', id: call.id, ...found })
  return (await fetch(url, { method: 'POST', body: JSON.stringify(call) })).text()
}
