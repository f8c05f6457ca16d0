import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../domain/settings.ts'
import { header } from './authenticate.ts'

const exposed =
  'ETag, Link, Retry-After, X-Request-Id, X-API-Version, RateLimit, RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset'
const allowed =
  'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, X-Request-Id, X-CSRF-Token'

/** Headers of every response, including refusals. JSON is never a page: a browser may not load, frame or sniff it. */
export function fixedHeaders(settings: Settings): Record<string, string> {
  return {
    'x-api-version': settings.version,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(settings.publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

export function addHeaders(app: FastifyInstance, fixed: Record<string, string>, corsOrigins: readonly string[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(fixed)
    reply.header('x-request-id', request.id)
    const isAnswered = corsOrigins.length > 0 && allowCors(request, reply, corsOrigins)
    if (!isAnswered) done()
  })
}

/**
 * CORS is off unless the operator lists origins. Tokens travel in a header, so credentials are not allowed. Returns
 * true for a preflight request, which ends here.
 */
function allowCors(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): boolean {
  addVary(reply, 'Origin')
  const origin = request.headers.origin
  if (origin === undefined || !(origins.includes(origin) || origins.includes('*'))) return false
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', exposed)
  if (request.method !== 'OPTIONS') return false
  reply
    .code(204)
    .headers({
      'access-control-allow-methods': 'GET, PUT, POST, PATCH, DELETE',
      'access-control-allow-headers': allowed,
      'access-control-max-age': '600',
    })
    .send()
  return true
}

/** Adds a request header on which the response depends, beside those that are named already. */
export function addVary(reply: FastifyReply, name: string): void {
  const named = reply.getHeader('vary')
  reply.header('vary', named === undefined ? name : `${String(named)}, ${name}`)
}

/** The content encodings that we send, the best one first. */
export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** The first of `offered` that the caller accepts. */
export function acceptedEncoding(request: FastifyRequest, offered: readonly Encoding[]): Encoding | undefined {
  const weights = weightsOf(header(request, 'accept-encoding'))
  return offered.find((encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0)
}

/** True if the caller names `type` in `Accept`, and does not prefer plain JSON. */
export function prefersType(request: FastifyRequest, type: string): boolean {
  const weights = weightsOf(header(request, 'accept'))
  const weight = weights.get(type) ?? 0
  return weight > 0 && weight >= (weights.get('application/json') ?? 0)
}

/** The weight of each name in the header. A weight of 0 refuses it. */
function weightsOf(text = ''): Map<string, number> {
  return new Map(
    text.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [name, weight === undefined ? 1 : Number(weight)]
    }),
  )
}
