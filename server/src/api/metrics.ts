import { createHash, timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import type { Metrics } from '../metrics/index.ts'
import { send } from './bind.ts'
import { toRefusal } from './errors.ts'
import { refusalReply } from './http-reply.ts'

type Exposition = Pick<Metrics, 'text' | 'contentType'>
export type MetricsServer = { port: number; close(): Promise<void> }

/** With a token, only callers that send it may read the metrics. */
export function addMetrics(app: FastifyInstance, metrics: Exposition, token: string | undefined): void {
  app.get('/metrics', async (request, reply) => {
    if (token !== undefined && !isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`))
      throw new Refusal('unauthenticated')
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

/** Constant time: hashes make the lengths equal, then all bytes are compared. */
function isSameSecret(given: string, secret: string): boolean {
  const hashOf = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hashOf(given), hashOf(secret))
}

/** Serves `/metrics` and nothing else, for a process without the API. */
export async function startMetricsServer(
  metrics: Exposition,
  { host, port, token }: { host: string; port: number; token: string | undefined },
): Promise<MetricsServer> {
  const app = Fastify({ logger: false, forceCloseConnections: true, requestIdHeader: false })
  app.setErrorHandler(async (error: Error, request, reply) => send(reply, refusalReply(toRefusal(error), request.id)))
  app.setNotFoundHandler((request, reply) =>
    send(reply, refusalReply(new Refusal('not_found', 'There is no such path.'), request.id)),
  )
  addMetrics(app, metrics, token)
  await app.listen({ host, port })
  const [address] = app.addresses()
  return { port: typeof address === 'object' ? address.port : port, close: () => app.close() }
}
