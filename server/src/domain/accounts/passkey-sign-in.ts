import type { Handler } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import { findPasskey, makeAssertionOptions } from './passkey-checks.ts'
import { startSession } from './sessions.ts'
import { accountOf } from './views.ts'

/** Names no passkeys: the browser offers those that it has, and nothing shows which accounts exist. */
export const createPasskeySignIn: Handler<'createPasskeySignIn'> = (context) =>
  makeAssertionOptions(context, 'passkey sign-in')

/** A passkey that verified the person is two factors in one: something they have, and a PIN or a biometric. */
export const signInByPasskey: Handler<'signInByPasskey'> = async (context) => {
  const { body, store, now, address, attempts } = context
  const attempt = attempts.begin([{ name: `passkey address ${address}`, freeAttempts: 20 }], now)
  const found = await findPasskey(context, 'passkey sign-in', body.response)
  const account = found && (await store.accounts.find(found.passkey.account_id))
  if (!account) throw new Refusal('unauthenticated', 'This passkey is unknown, or the sign-in took too long.')
  attempt.succeed()
  return startSession(context, accountOf(account))
}
