import { createHash } from 'node:crypto'
import type { Identity } from '../../store/identity/identities.ts'
import { Page, requireAnyMatch } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { notFound, Refusal } from '../refusal.ts'
import { requireOwner } from './ownership/require-owner.ts'
import { walletIssuer } from './wallet.ts'

/** The wallets and the persons at an identity provider that an account is linked to. */

export const listIdentities: Handler<'listIdentities'> = async ({ account, store }) => {
  const rows = await store.identities.list(account.id)
  return new Page(
    rows.map((row) => ({
      id: idOf(row),
      kind: row.issuer === walletIssuer ? ('wallet' as const) : ('oidc' as const),
      issuer: row.issuer,
      subject: row.subject,
      createdAt: row.created_at.toISOString(),
    })),
  )
}

/** The browser visits the provider next, and the callback links the person that it names. */
export const linkIdentity: Handler<'linkIdentity'> = async (context) => {
  const { account, beginVisit, body, now, store, tokenId } = context
  if (!beginVisit) throw new Refusal('feature_unavailable', 'The operator has set up no identity provider.')
  await requireOwner(context, body)
  if (tokenId === undefined) throw new Refusal('unauthenticated')
  const wish = { next: pageOf(body.next), linkTo: { accountId: account.id, tokenId } }
  const { url } = await beginVisit(store, wish, now)
  return { url }
}

/** Only a path of this service, so that a link cannot send a person elsewhere after the sign-in. */
export function pageOf(next: unknown): string {
  return typeof next === 'string' && /^\/(?![/\\])[^\s\\]{0,2000}$/.test(next) ? next : '/'
}

/** The last way to sign in stays, so that nobody locks themselves out. */
export const deleteIdentity: Handler<'deleteIdentity'> = async (context) => {
  const { account, body, params, preconditions, store } = context
  requireAnyMatch(preconditions)
  const { password_hash } = await requireOwner(context, body)
  await store.tx(async (store) => {
    await store.accounts.lock(account.id)
    const rows = await store.identities.list(account.id)
    const row = rows.find((each) => idOf(each) === params.id)
    if (!row) throw notFound('You have no such linked sign-in.')
    const { passkeys } = await store.secondFactors.summarize(account.id)
    if (password_hash === null && passkeys === 0 && rows.length === 1)
      throw new Refusal('forbidden', 'It is your only way to sign in. Set a password first.')
    await store.identities.remove(account.id, row)
  })
  return undefined
}

function idOf({ issuer, subject }: Identity): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url')
    .slice(0, 22)
}
