import { createHash } from 'node:crypto'
import type { Identity } from '../../store/identity/identities.ts'
import { Page, requireAnyMatch } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { notFound, Refusal } from '../refusal.ts'
import { requirePassword } from './require-password.ts'
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

/** The last way to sign in stays, so that nobody locks themselves out. */
export const deleteIdentity: Handler<'deleteIdentity'> = async (context) => {
  const { account, body, params, preconditions, store } = context
  requireAnyMatch(preconditions)
  const { password_hash } = await requirePassword(context, body.password)
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
