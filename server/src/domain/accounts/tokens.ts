import { newToken } from '../../store/core/secret-box.ts'
import type { TokenRow } from '../../store/identity/tokens.ts'
import { done, Page, requireAnyMatch } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { invalidPayload, notFound } from '../refusal.ts'

export const listTokens: Handler<'listTokens'> = async ({ account, query, store }) => {
  const { rows, next } = await store.tokens.list(account.id, { limit: query.limit, after: query.cursor })
  return new Page(rows.map(tokenView), next)
}

export const createToken: Handler<'createToken'> = async ({ account, body, store, now }) => {
  const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null
  if (expiresAt && expiresAt <= now) throw invalidPayload([{ path: 'expiresAt', message: 'must be in the future' }])
  const token = newToken('personal')
  const row = await store.tokens.add({
    accountId: account.id,
    kind: 'personal',
    name: body.name,
    token,
    expiresAt,
    at: now,
  })
  const { lastUsedAt, ...view } = tokenView(row)
  return { ...view, token }
}

export const deleteToken: Handler<'deleteToken'> = async ({ account, params, preconditions, store }) => {
  requireAnyMatch(preconditions)
  if (!(await store.tokens.remove(account.id, params.id))) throw notFound('You have no such token.')
  return done
}

function tokenView(row: TokenRow) {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    ...(row.last_used_at && { lastUsedAt: row.last_used_at.toISOString() }),
  }
}
