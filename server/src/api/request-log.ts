import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Meter } from '../metrics/index.ts'

/**
 * Logs one line per request: the route's pattern and its harmless parameters, never the raw URL, a header or a body.
 */
export function addRequestLog(app: FastifyInstance, log: Logger, meter: Pick<Meter, 'request'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const ms = reply.elapsedTime
    meter.request(request.method, route, reply.statusCode, ms)
    const level = reply.statusCode >= 500 ? 'error' : 'info'
    if (log.isLevelEnabled(level)) log[level](lineOf(request, route, reply.statusCode, ms), 'request')
    done()
  })
}

function lineOf(request: FastifyRequest, route: string, status: number, ms: number) {
  return {
    requestId: request.id,
    method: request.method,
    route,
    params: harmlessParams(request),
    status,
    ms: Math.round(ms * 10) / 10,
    account: request.identity?.account.id,
    address: request.ip,
  }
}

/** A token in a path gives access by itself, and an unmatched path (`*`) may hold one, so neither is logged. */
function harmlessParams(request: FastifyRequest): Record<string, string> | undefined {
  const { token: _secret, '*': _unmatched, ...harmless } = (request.params ?? {}) as Record<string, string>
  return Object.keys(harmless).length > 0 ? harmless : undefined
}
