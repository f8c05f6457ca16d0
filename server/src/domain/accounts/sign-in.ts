import { emailKey } from '../../store/identity/accounts.ts'
import { done } from '../answers.ts'
import type { AttemptKey } from '../attempts.ts'
import type { Handler } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import { isPassword } from './passwords.ts'
import { startSession } from './sessions.ts'
import { accountOf, accountView } from './views.ts'

export const signIn: Handler<'signIn'> = async ({ body, store, now, address, attempts, settings }) => {
  const attempt = attempts.begin(signInKeys(body.email, address), now)
  const row = await store.accounts.findByEmail(body.email)
  if (!(await isPassword(body.password, row?.password_hash)) || !row)
    throw new Refusal('unauthenticated', 'The e-mail or the password is wrong.')
  attempt.succeed()
  return startSession(store, accountOf(row), now, settings.sessionDays)
}

/**
 * Guesses count by mailbox and address together, so that nobody can lock somebody else's mailbox. The mailbox alone has
 * a looser count, which makes everybody wait for seconds at most, and nobody at an address that signed in to it before.
 */
function signInKeys(email: string, address: string): AttemptKey[] {
  const mailbox = emailKey(email)
  return [
    { name: `mailbox ${mailbox} address ${address}`, freeAttempts: 5 },
    { name: `address ${address}`, freeAttempts: 20 },
    { name: `mailbox ${mailbox}`, freeAttempts: 50, waitMaxMs: 5_000, skipsKnown: true },
  ]
}

/** The token itself becomes the cookie: whoever revokes it, or lets it expire, ends the browser's session with it. */
export const signInByToken: Handler<'signInByToken'> = async ({ body, store, now, address, attempts }) => {
  const attempt = attempts.begin([{ name: `token address ${address}`, freeAttempts: 20 }], now)
  const owner = await store.tokens.findOwner(body.token, now)
  if (!owner) throw new Refusal('unauthenticated', 'This token is not known here, or it is no longer valid.')
  attempt.succeed()
  return { token: body.token, account: accountView(accountOf(owner)) }
}

/** Only a session ends here: a personal token, such as a pipeline's or the operator's only one, is revoked by its id. */
export const signOut: Handler<'signOut'> = async ({ tokenId, store }) => {
  if (tokenId !== undefined) await store.tokens.endSession(tokenId)
  return done
}
