/** A collector of OpenTelemetry traces on loopback. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type CollectedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status: { code?: number; message?: string }
}
export type Collector = { url: string; spans: CollectedSpan[]; close(): void }
type Sent = { resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[] }

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const sent = request.url === '/v1/traces' ? (JSON.parse(body) as Sent) : { resourceSpans: [] }
    spans.push(...sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, close }
}

export function attributeOf({ attributes }: CollectedSpan, key: string): string | number | undefined {
  const value = attributes.find((attribute) => attribute.key === key)?.value
  return value?.stringValue ?? value?.intValue
}
