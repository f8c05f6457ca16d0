import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The webhook receiver: it records each alert, how often it arrived, and whether it was retracted. It also answers requests
 * of providers: with an empty list at first, so that their runs are parked.
 */
export type Receiver = {
  url: string
  /** How often each alert arrived, by its webhook id. */
  alerts: ReadonlyMap<string, number>
  retracted: ReadonlySet<string>
  /** How many requests of providers got an empty list. */
  emptyCount(): number
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const alerts = new Map<string, number>()
  const retracted = new Set<string>()
  const asked = new Map<string, number>()
  let emptyCount = 0
  /** The answer is there after one or two requests, by the last digit of the path. */
  const answerLate = (path: string): string[] => {
    const count = (asked.get(path) ?? 0) + 1
    asked.set(path, count)
    if (count > (/[02468ace]$/.test(path) ? 2 : 1)) return [path]
    emptyCount++
    return []
  }
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return void response.end(JSON.stringify(answerLate(request.url ?? '')))
    let text = ''
    for await (const chunk of request) text += chunk
    const { type } = JSON.parse(text) as { type: string }
    const id = String(request.headers['webhook-id'])
    if (type === 'alert.retracted') retracted.add(id)
    else alerts.set(id, (alerts.get(id) ?? 0) + 1)
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    alerts,
    retracted,
    emptyCount: () => emptyCount,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
