import type { Route } from '@tocsin/contract'
import { requireScope } from '../domain/access.ts'
import { outsideWorkspace } from '../domain/bound-store.ts'
import type { Access } from '../domain/handler.ts'

/** Refuses a call that the caller's token does not allow, before its body is read. */
export function requireAccess(route: Route, access: Access, params: Record<string, string>): void {
  if (route.auth === 'none' || route.scopes === 'any') return
  requireScope(access, route.scopes)
  const { workspace } = access
  if (!workspace) return
  const name = params.fullname ?? params.workspace
  const isOutside = name !== undefined && name.split('.')[0] !== workspace.fullname
  if (isOutside || isOfAccount(route)) throw outsideWorkspace(workspace)
}

/**
 * True for routes of the account itself: tokens, sessions, the address book. A bound token may only ask whose token it is.
 */
function isOfAccount({ path, method }: Route): boolean {
  if (path === '/api/me') return method !== 'GET'
  return /^\/api\/(me|addresses)(\/|$)/.test(path)
}
