import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The webhook receiver: it records each alert, how often it arrived, and whether it was retracted. */
export type Receiver = {
  url: string
  /** How often each alert arrived, by its webhook id. */
  alerts: ReadonlyMap<string, number>
  retracted: ReadonlySet<string>
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const alerts = new Map<string, number>()
  const retracted = new Set<string>()
  const server = createServer(async (request, response) => {
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
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
