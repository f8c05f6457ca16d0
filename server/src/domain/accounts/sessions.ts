import { newToken } from '../../store/core/secret-box.ts'
import type { TokenRow } from '../../store/identity/tokens.ts'
import type { Store } from '../../store/index.ts'
import { Page, requireAnyMatch } from '../answers.ts'
import type { Account, Context, Handler } from '../handler.ts'
import { notFound, Refusal } from '../refusal.ts'
import { tellOwner } from './mails/mail-job.ts'
import { placeText } from './ownership/place.ts'
import { accountView } from './read.ts'

const dayMs = 86_400_000

export type Starting = Pick<Context<'signIn'>, 'store' | 'now' | 'settings' | 'caller' | 'engine'>

export async function startSession(starting: Starting, account: Account) {
  const { store, now, settings, caller } = starting
  const token = newToken('session')
  await store.tx(async (store) => {
    await requireKept(store, account.id)
    await store.tokens.add({
      accountId: account.id,
      kind: 'session',
      name: 'session',
      token,
      expiresAt: new Date(now.getTime() + settings.sessionDays * dayMs),
      from: caller,
      at: now,
    })
    await notePlace({ ...starting, store }, account.id)
  })
  return { token, account: accountView(account) }
}

/** The first place of an account is not new: it is where the person signs up. */
async function notePlace(starting: Starting, accountId: string): Promise<void> {
  const { store, now, caller, engine } = starting
  if (!engine.channels.mail) return
  const isNew = await store.places.record({ accountId, subject: 'sign-in', place: placeText(caller) }, now, now)
  if (isNew) await tellOwner(starting, accountId, 'new place')
}

/** Refuses an account that was deleted after it was found. Otherwise it stays until the transaction ends. */
export async function requireKept(store: Store, accountId: string): Promise<void> {
  if (!(await store.accounts.lock(accountId))) throw new Refusal('unauthenticated', 'This account was deleted.')
}

export const listSessions: Handler<'listSessions'> = async ({ account, query, store, now, tokenId }) => {
  const page = { limit: query.limit, after: query.cursor }
  const { rows, next } = await store.tokens.list(account.id, 'session', page, now)
  return new Page(
    rows.map((row) => sessionView(row, tokenId)),
    next,
  )
}

export const deleteSession: Handler<'deleteSession'> = async ({ account, params, preconditions, store }) => {
  requireAnyMatch(preconditions)
  if (!(await store.tokens.remove(account.id, 'session', params.id))) throw notFound('You have no such session.')
  return undefined
}

function sessionView(row: TokenRow, currentId: string | undefined) {
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: (row.last_used_at ?? row.created_at).toISOString(),
    ip: row.ip,
    userAgent: row.user_agent,
    current: row.id === currentId,
  }
}
