import { type ErrorCode, errorTable } from '../base/errors.ts'
import { type RouteName, routes } from '../routes/index.ts'
import type { Route } from '../routes/route.ts'

/**
 * The errors below 500 that an operation can answer, and those of remote servers: what follows from its route (a body can be
 * malformed, an account can be missing), and what the route adds. Every operation can also fail with `internal` and
 * `unavailable`.
 */
export function refusalsOf(name: RouteName): ErrorCode[] {
  const route: Route = routes[name]
  const codes = new Set<ErrorCode>([...derivedFrom(name, route), ...(route.refusals ?? [])])
  return (Object.keys(errorTable) as ErrorCode[]).filter((code) => codes.has(code))
}

function derivedFrom(name: RouteName, route: Route): ErrorCode[] {
  const { method, path, auth, query, isConditional } = route
  const isKeyed = method === 'POST' && auth === 'account'
  return [
    ...(method === 'GET' ? [] : bodyCodes),
    // A key that is too long is an invalid query.
    ...(query || isKeyed ? (['invalid_query'] as const) : []),
    ...(auth === 'account' ? (['unauthenticated', 'insufficient_scope'] as const) : []),
    // The role, or the CSRF token of a browser session.
    ...(auth === 'account' && method !== 'GET' ? (['forbidden'] as const) : []),
    ...(path.includes(':') ? (['not_found'] as const) : []),
    ...(isKeyed ? keyCodes : []),
    ...(isConditional || ['PUT', 'PATCH', 'DELETE'].includes(method) ? (['precondition_failed'] as const) : []),
    // These two are not counted. The only request that they refuse is one with another method.
    name === 'getHealth' || name === 'getReady' ? 'method_not_allowed' : 'rate_limited',
  ]
}

/** `limit_reached`: an account can use so many keys within 24 hours. */
const keyCodes = ['in_progress', 'idempotency_mismatch', 'reply_not_kept', 'limit_reached'] as const
const bodyCodes = ['invalid_json', 'invalid_payload', 'payload_too_large', 'unsupported_media_type'] as const
