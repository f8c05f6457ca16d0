import { createHash, timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { Refusal } from '../domain/refusal.ts'
import type { Metrics } from '../metrics/index.ts'
import { send } from './bind.ts'
import { toRefusal } from './errors.ts'
import { refusalReply } from './http-reply.ts'

type Exposition = Pick<Metrics, 'text' | 'contentType'>
export type MetricsServer = { port: number; close(): Promise<void> }

/** Who may read the metrics: callers with the token, everybody, or without either only callers on this machine. */
export type MetricsAccess = { token: string | undefined; isOpen: boolean }

/** The metrics name sources and workspaces of tenants, so they are for the operator. */
export function addMetrics(app: FastifyInstance, metrics: Exposition, access: MetricsAccess): void {
  app.get('/metrics', async (request, reply) => {
    requireOperator(request, access)
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

function requireOperator(request: FastifyRequest, { token, isOpen }: MetricsAccess): void {
  if (token !== undefined) {
    if (isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`)) return
    throw new Refusal('unauthenticated')
  }
  if (isOpen || isFromThisMachine(request)) return
  throw new Refusal(
    'forbidden',
    'The metrics are for the operator. Set METRICS_TOKEN and send it as a bearer token, or ask from the same machine.',
  )
}

/** What a proxy adds to the request of somebody else. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']
const loopback = /^(127(\.\d+){3}|::1|::ffff:127(\.\d+){3})$/
const loopbackHost = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i

/**
 * A proxy on the same machine connects from a loopback address too. It adds one of these headers, or passes on the name
 * that its caller asked for.
 */
function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  return (
    loopback.test(socket.remoteAddress ?? '') &&
    loopbackHost.test(headers.host ?? '') &&
    proxyHeaders.every((name) => headers[name] === undefined)
  )
}

/** Constant time: hashes make the lengths equal, then all bytes are compared. */
function isSameSecret(given: string, secret: string): boolean {
  const hashOf = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hashOf(given), hashOf(secret))
}

/** Serves `/metrics` and nothing else, for a process without the API. */
export async function startMetricsServer(
  metrics: Exposition,
  { host, port, access }: { host: string; port: number; access: MetricsAccess },
): Promise<MetricsServer> {
  const app = Fastify({ logger: false, forceCloseConnections: true, requestIdHeader: false })
  app.setErrorHandler(async (error: Error, request, reply) => send(reply, refusalReply(toRefusal(error), request.id)))
  app.setNotFoundHandler((request, reply) =>
    send(reply, refusalReply(new Refusal('not_found', 'There is no such path.'), request.id)),
  )
  addMetrics(app, metrics, access)
  await app.listen({ host, port })
  const [address] = app.addresses()
  return { port: typeof address === 'object' ? address.port : port, close: () => app.close() }
}
