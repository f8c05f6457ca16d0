import type { Route } from '../routes/route.ts'
import type { Json } from './json-schema.ts'

const text = { type: 'string' }

/** The headers of answers, as components of the document. */
export const headerComponents = {
  'X-Request-Id': {
    description: 'The id of the request, which is also in the log and in the body of an error.',
    schema: text,
  },
  'X-API-Version': { description: 'The version of the service.', schema: text },
  ETag: {
    description: 'The version of the entity. Send it as `If-Match` to change the entity only if nobody else has.',
    schema: text,
    example: '"k7f2.3"',
  },
  Link: {
    description: 'The address of the next page, as `<…>; rel="next"`. It is missing on the last page.',
    schema: text,
  },
  'RateLimit-Policy': {
    description: 'The quota and its window: `q` requests in `w` seconds.',
    schema: text,
    example: '"account";q=900;w=60',
  },
  RateLimit: {
    description: 'What is left: `r` requests, and `t` seconds until the window starts again.',
    schema: text,
    example: '"account";r=874;t=41',
  },
  'RateLimit-Limit': { description: 'Requests per minute.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests that are left in this window.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the window starts again.', schema: { type: 'integer' } },
  'Retry-After': { description: 'Seconds to wait before the next request.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'Names the scheme `Bearer`.', schema: text },
} as const satisfies Record<string, Json>

export type HeaderName = keyof typeof headerComponents

export function headers(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export const rateHeaderNames = [
  'RateLimit-Policy',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
] as const satisfies HeaderName[]

/** The headers that a caller may send. */
export function headerParameters({ method, auth, events, isConditional }: Route, has304: boolean): Json[] {
  return [
    ...(isConditional || ['PUT', 'PATCH', 'DELETE'].includes(method) ? [sent.ifMatch] : []),
    ...(method === 'PUT' ? [sent.ifNoneMatchToCreate] : []),
    ...(has304 ? [sent.ifNoneMatch] : []),
    ...(method === 'POST' && auth === 'account' ? [sent.idempotencyKey] : []),
    ...(events === 'only' ? [sent.lastEventId] : []),
  ].map(({ name, ...rest }) => ({ name, in: 'header', required: false, ...rest, schema: text }))
}

const sent = {
  ifMatch: {
    name: 'If-Match',
    description:
      'The ETag of the entity as you read it, or `*`. If it has changed since, the answer is 412 and nothing changes.',
    example: '"k7f2.3"',
  },
  ifNoneMatchToCreate: {
    name: 'If-None-Match',
    description: '`*` creates the entity and never overwrites one: if it exists, the answer is 412.',
    example: '*',
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    description: 'The ETag of an earlier answer. If nothing has changed, the answer is 304 without a body.',
    example: 'W/"3q2x"',
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    description:
      'A text of your choice, at most 255 characters. A repeat within 24 hours by a caller with the same rights gets the first answer again and does nothing twice. With another body it is 409 `idempotency_mismatch`.',
    example: '5f1c2d3e',
  },
  lastEventId: {
    name: 'Last-Event-ID',
    description: 'The id of the last event that was received. The stream goes on after it.',
    example: '',
  },
}
