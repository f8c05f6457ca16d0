import type { Handler } from '../handler.ts'
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
