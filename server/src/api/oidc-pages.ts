import { errorTable } from '@tocsin/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Identify, type OidcSignIn, pageOf } from '../domain/accounts/index.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Settings } from '../domain/settings.ts'
import { escapeHtml } from '../engine/destinations/html.ts'
import type { Engine } from '../engine/engine.ts'
import type { Store } from '../store/index.ts'
import { callerOf } from './authenticate.ts'
import { readCookie, sessionCookies, stateCookie, stateName } from './cookies.ts'
import { sendPage } from './pages.ts'

type Deps = {
  store: Store
  settings: Settings
  engine: Engine
  clock: () => Date
  identify: Identify
  oidcSignIn: OidcSignIn | undefined
}
export const oidcPaths = ['/api/auth/oidc', '/api/auth/oidc/callback'] as const

/** The two pages of a sign-in at the identity provider: one sends the browser there, the other gets it back. */
export function addOidcPages(app: FastifyInstance, deps: Deps): void {
  const { store, settings, engine, clock } = deps
  const options = () => ({ secure: settings.publicUrl.startsWith('https:'), days: settings.sessionDays })
  const [start, callback] = oidcPaths
  app.get<{ Querystring: { next?: unknown } }>(start, (request, reply) =>
    orPage(reply, async () => {
      const oidc = requireOidc(deps)
      const { url, state } = await oidc.begin(store, { next: pageOf(request.query.next) }, clock())
      return reply.header('set-cookie', stateCookie(state, options())).redirect(url)
    }),
  )
  app.get(callback, (request, reply) =>
    orPage(reply, async () => {
      const state = readCookie(request.headers.cookie, stateName) ?? ''
      const starting = { store, settings, engine, now: clock(), caller: callerOf(request) }
      const url = new URL(request.url, settings.publicUrl)
      const { token, next } = await requireOidc(deps).finish(starting, url, state)
      // A first visit can take an account over, which ends its sessions and tokens.
      deps.identify.forget()
      if (token !== undefined) reply.header('set-cookie', sessionCookies(token, options()))
      return reply.redirect(next)
    }),
  )
}

function requireOidc({ oidcSignIn }: Deps): OidcSignIn {
  if (!oidcSignIn) throw new Refusal('feature_unavailable', 'The operator has set up no identity provider.')
  return oidcSignIn
}

async function orPage(reply: FastifyReply, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const [title, back] =
      error.code === 'already_exists'
        ? ['Nothing was linked', '<a href="/account">Back to your account</a>']
        : ['You are not signed in', '<a href="/sign-in">Sign in</a>']
    const text = `<h1>${title}</h1><p>${escapeHtml(error.message)}</p><p>${back}</p>`
    return sendPage(reply.code(errorTable[error.code].status), text)
  }
}
