import type { Route } from '@tocsin/contract'
import { requireScope } from '../domain/access.ts'
import type { Identity } from '../domain/accounts/index.ts'
import { outsideWorkspace } from '../domain/bound-store.ts'
import { Refusal } from '../domain/refusal.ts'

/** Refuses a call that the caller's token does not allow, before its body is read. */
export function requireAccess(route: Route, { access, tokenKind }: Identity, params: Record<string, string>): void {
  if (route.auth === 'none' || route.scopes === 'any') return
  requireScope(access, route.scopes)
  if (route.sessionOnly && tokenKind !== 'session') throw new Refusal('insufficient_scope', noToken)
  const { workspace } = access
  if (!workspace) return
  const name = params.fullname ?? params.workspace
  const isOutside = name !== undefined && name.split('.')[0] !== workspace.fullname
  if (isOutside || isOfAccount(route)) throw outsideWorkspace(workspace)
}

const noToken =
  'No token can do this. Sign in to your account in the console. An account without another way to sign in sets a password first.'

/**
 * True for routes of the account itself: tokens, sessions, the address book. A bound token may only ask whose token it is.
 */
function isOfAccount({ path, method }: Route): boolean {
  if (path === '/api/me') return method !== 'GET'
  return /^\/api\/(me|addresses)(\/|$)/.test(path)
}
