import { errorTable } from '@tocsin/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OidcSignIn } from '../domain/accounts/index.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Settings } from '../domain/settings.ts'
import { escapeHtml } from '../engine/destinations/html.ts'
import type { Store } from '../store/index.ts'
import { callerOf } from './authenticate.ts'
import { readCookie, sessionCookies, stateCookie, stateName } from './cookies.ts'
import { sendPage } from './plain-page.ts'

type Deps = { store: Store; settings: Settings; clock: () => Date; oidcSignIn: OidcSignIn | undefined }
export const oidcPaths = ['/api/auth/oidc', '/api/auth/oidc/callback'] as const

/** The two pages of a sign-in at the identity provider: one sends the browser there, the other gets it back. */
export function addOidcPages(app: FastifyInstance, deps: Deps): void {
  const { store, settings, clock } = deps
  const options = () => ({ secure: settings.publicUrl.startsWith('https:'), days: settings.sessionDays })
  const [start, callback] = oidcPaths
  app.get(start, (request, reply) =>
    orPage(reply, async () => {
      const { url, state } = await requireOidc(deps).begin(store, nextOf(request), clock())
      return reply.header('set-cookie', stateCookie(state, options())).redirect(url)
    }),
  )
  app.get(callback, (request, reply) =>
    orPage(reply, async () => {
      const state = readCookie(request.headers.cookie, stateName) ?? ''
      const starting = { store, settings, now: clock(), caller: callerOf(request) }
      const url = new URL(request.url, settings.publicUrl)
      const { token, next } = await requireOidc(deps).finish(starting, url, state)
      return reply.header('set-cookie', sessionCookies(token, options())).redirect(next)
    }),
  )
}

function requireOidc({ oidcSignIn }: Deps): OidcSignIn {
  if (!oidcSignIn) throw new Refusal('feature_unavailable', 'The operator has set up no identity provider.')
  return oidcSignIn
}

/** Only a path of this service, so that a link cannot send a person elsewhere after the sign-in. */
function nextOf(request: FastifyRequest): string {
  const { next } = request.query as { next?: unknown }
  return typeof next === 'string' && /^\/(?![/\\])[^\s\\]{0,2000}$/.test(next) ? next : '/'
}

async function orPage(reply: FastifyReply, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const text = `<h1>You are not signed in</h1><p>${escapeHtml(error.message)}</p><p><a href="/sign-in">Sign in</a></p>`
    return sendPage(reply.code(errorTable[error.code].status), text)
  }
}
