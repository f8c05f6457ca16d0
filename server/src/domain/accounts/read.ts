import { type AccountView, scopeNames } from '@tocsin/contract'
import type { z } from 'zod'
import type { Access, Account, Handler } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import { hasPasskeys } from './passkey-checks.ts'

export const getSignInMethods: Handler<'getSignInMethods'> = async ({ engine, settings }) => ({
  signUp: settings.signUp,
  passwordReset: engine.channels.mail !== undefined,
  passkeys: hasPasskeys(settings.publicUrl),
  oidc: settings.oidcSignIn,
})

export const getSecurity: Handler<'getSecurity'> = async ({ account, store }) => {
  const row = await store.accounts.find(account.id)
  if (!row) throw new Refusal('unauthenticated')
  const { hasTotp, passkeys, recoveryCodes } = await store.secondFactors.summarize(account.id)
  return {
    hasPassword: row.password_hash !== null,
    emailVerified: row.email_verified_at !== null,
    totp: hasTotp,
    passkeys,
    recoveryCodes,
  }
}

export function accountView(account: Account): z.output<typeof AccountView> {
  return { id: account.id, email: account.email, name: account.name, createdAt: account.createdAt.toISOString() }
}

export function accountOf(row: { id: string; email: string; name: string; created_at: Date }): Account {
  return { id: row.id, email: row.email, name: row.name, createdAt: row.created_at }
}

/** Scopes in the order of the table, whatever order they were sent in. */
export function accessView({ scopes, workspace }: Pick<Access, 'scopes' | 'workspace'>) {
  return {
    scopes: scopeNames.filter((scope) => scopes.includes(scope)),
    ...(workspace && { workspace: workspace.fullname }),
  }
}
