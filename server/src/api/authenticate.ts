import type { FastifyRequest } from 'fastify'
import type { Identify, Identity } from '../domain/accounts/index.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Store } from '../store/index.ts'
import { isCsrfToken, readSessionCookie } from './cookies.ts'

/** Takes the bearer token first, else the console's cookie. A change by cookie also needs the CSRF token. */
export async function authenticate(
  request: FastifyRequest,
  store: Store,
  identify: Identify,
  now: Date,
): Promise<Identity | undefined> {
  const bearer = readBearer(request.headers.authorization)
  if (bearer !== undefined) return identify(store, bearer, now)
  const session = readSessionCookie(request.headers.cookie)
  if (session === undefined) return undefined
  const identity = await identify(store, session, now)
  if (identity && changesThings(request.method) && !isCsrfToken(header(request, 'x-csrf-token'), session))
    throw new Refusal('forbidden', 'The X-CSRF-Token header is missing or wrong.')
  return identity
}

function readBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  return /^Bearer +(\S{1,8192})$/i.exec(authorization)?.[1] ?? ''
}

function changesThings(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

export function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

const userAgentMax = 512

/** Where a request comes from, to show it with the session that it starts. */
export function callerOf(request: FastifyRequest): { ip: string; userAgent: string } {
  return { ip: request.ip, userAgent: (request.headers['user-agent'] ?? '').slice(0, userAgentMax) }
}
