import { type Scope, scopeNames } from '@tocsin/contract'
import { newToken } from '../../store/core/secret-box.ts'
import type { NamedTokenRow } from '../../store/identity/tokens.ts'
import { requireMember } from '../access.ts'
import { done, Page, requireAnyMatch } from '../answers.ts'
import type { Access, Handler } from '../handler.ts'
import { invalidPayload, notFound, Refusal } from '../refusal.ts'
import { tellOwner } from './mails/mail-job.ts'
import { accessView } from './read.ts'

export const listTokens: Handler<'listTokens'> = async ({ account, query, store, now }) => {
  const page = { limit: query.limit, after: query.cursor }
  const { rows, next } = await store.tokens.list(account.id, 'personal', page, now)
  return new Page(rows.map(tokenView), next)
}

export const createToken: Handler<'createToken'> = async (context) => {
  const { account, access, body, store, now } = context
  const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null
  if (expiresAt && expiresAt <= now) throw invalidPayload([{ path: 'expiresAt', message: 'must be in the future' }])
  const scopes = body.scopes ?? scopeNames
  requireNoMore(access, scopes, expiresAt)
  const workspace = body.workspace ? await requireMember(store, account, body.workspace) : undefined
  const token = newToken('personal')
  const row = await store.tx(async (store) => {
    await tellOwner({ ...context, store }, account.id, 'token added')
    return store.tokens.add({
      accountId: account.id,
      kind: 'personal',
      name: body.name,
      token,
      expiresAt,
      // Null stands for all, so that the token also gets the scopes of later versions.
      scopes: scopeNames.every((scope) => scopes.includes(scope)) ? null : [...new Set(scopes)],
      workspaceId: workspace?.id ?? null,
      at: now,
    })
  })
  const { lastUsedAt, ...view } = tokenView({ ...row, workspace: workspace?.fullname ?? null })
  return { ...view, token }
}

/**
 * A token cannot create one that may do more, or that lives longer, nor a new way to sign in if it may not do everything.
 * Tokens that are bound to a workspace create none.
 */
export function requireNoMore(access: Access, scopes: readonly Scope[], expiresAt: Date | null): void {
  const missing = scopes.filter((scope) => !access.scopes.includes(scope))
  if (missing.length > 0) {
    const names = missing.join(', ')
    throw new Refusal('insufficient_scope', `Your token lacks scopes that this would give: ${names}.`, {
      scopes: missing,
    })
  }
  if (access.expiresAt && (!expiresAt || expiresAt > access.expiresAt)) {
    const end = access.expiresAt.toISOString()
    throw new Refusal('insufficient_scope', `This must expire no later than your token: ${end}.`)
  }
}

export const deleteToken: Handler<'deleteToken'> = async ({ account, params, preconditions, store }) => {
  requireAnyMatch(preconditions)
  if (!(await store.tokens.remove(account.id, 'personal', params.id))) throw notFound('You have no such token.')
  return done
}

function tokenView(row: NamedTokenRow) {
  const workspace =
    row.workspace_id !== null && row.workspace !== null ? { id: row.workspace_id, fullname: row.workspace } : undefined
  return {
    id: row.id,
    name: row.name,
    ...accessView({ scopes: row.scopes ?? scopeNames, ...(workspace && { workspace }) }),
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    ...(row.last_used_at && { lastUsedAt: row.last_used_at.toISOString() }),
  }
}
