import { emailKey } from '../../store/identity/accounts.ts'
import { done } from '../answers.ts'
import type { AttemptKey } from '../attempts.ts'
import type { Handler } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import { passwordsFrom } from './ownership/require-owner.ts'
import { isPassword } from './passwords.ts'
import { accessView, accountOf, accountView } from './read.ts'
import { requireSecondFactor } from './second-factor.ts'
import { startSession } from './sessions.ts'

export const signIn: Handler<'signIn'> = async (context) => {
  const { body, store, now, address, attempts, settings } = context
  const attempt = attempts.begin(signInKeys(body.email, address), now)
  const row = await store.accounts.findByEmail(body.email)
  if (!(await isPassword(body.password, row?.password_hash, settings.passwordCost)) || !row)
    throw new Refusal('unauthenticated', 'The e-mail or the password is wrong.')
  await requireSecondFactor(context, row, body)
  attempt.succeed()
  return startSession(context, accountOf(row))
}

/**
 * Failed attempts count per e-mail and IP address together, so that an attacker cannot lock another person's account.
 * The count per e-mail alone is looser: it delays by seconds at most, and never from an IP address that signed in before.
 * The count per IP address leaves room for the people of an office who share one.
 */
export function signInKeys(email: string, address: string): AttemptKey[] {
  const mailbox = emailKey(email)
  return [
    { name: `mailbox ${mailbox} address ${address}`, freeAttempts: 5 },
    passwordsFrom(address),
    { name: `mailbox ${mailbox}`, freeAttempts: 50, waitMaxMs: 5_000, skipsKnown: true },
  ]
}

/** The token itself becomes the cookie, so revoking it or its expiry also ends the browser's session. */
export const signInByToken: Handler<'signInByToken'> = async ({ body, store, now, address, attempts }) => {
  const attempt = attempts.begin([{ name: `token address ${address}`, freeAttempts: 20 }], now)
  const owner = await store.tokens.findOwner(body.token, now)
  if (!owner) throw new Refusal('unauthenticated', 'This token is unknown or no longer valid.')
  attempt.succeed()
  return { token: body.token, account: accountView(accountOf(owner)) }
}

/** Ends a session only. A personal token is revoked by its id, so that signing out cannot end a pipeline's token. */
export const signOut: Handler<'signOut'> = async ({ tokenId, store }) => {
  if (tokenId !== undefined) await store.tokens.endSession(tokenId)
  return done
}

export const getMe: Handler<'getMe'> = async ({ account, access }) => ({
  ...accountView(account),
  ...accessView(access),
})
