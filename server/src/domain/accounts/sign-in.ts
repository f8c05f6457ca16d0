import { emailKey } from '../../store/accounts.ts'
import { done } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import { isPassword } from './passwords.ts'
import { startSession } from './sessions.ts'
import { accountOf, accountView } from './views.ts'

export const signIn: Handler<'signIn'> = async ({ body, store, now, address, attempts, settings }) => {
  const mailbox = { name: `mailbox ${emailKey(body.email)}`, freeFailures: 5 }
  const keys = [mailbox, { name: `address ${address}`, freeFailures: 20 }]
  attempts.require(keys, now)
  const row = await store.accounts.findByEmail(body.email)
  if (!(await isPassword(body.password, row?.password_hash)) || !row) {
    attempts.fail(keys, now)
    throw new Refusal('unauthenticated', 'The e-mail or the password is wrong.')
  }
  attempts.succeed(mailbox)
  return startSession(store, accountOf(row), now, settings.sessionDays)
}

/** The token itself becomes the cookie: whoever revokes it, or lets it expire, ends the browser's session with it. */
export const signInByToken: Handler<'signInByToken'> = async ({ body, store, now, address, attempts }) => {
  const keys = [{ name: `address ${address}`, freeFailures: 20 }]
  attempts.require(keys, now)
  const owner = await store.tokens.findOwner(body.token, now)
  if (!owner) {
    attempts.fail(keys, now)
    throw new Refusal('unauthenticated', 'This token is not known here, or it is no longer valid.')
  }
  return { token: body.token, account: accountView(accountOf(owner)) }
}

/** Only a session ends here: a personal token, such as a pipeline's or the operator's only one, is revoked by its id. */
export const signOut: Handler<'signOut'> = async ({ tokenId, store }) => {
  if (tokenId !== undefined) await store.tokens.endSession(tokenId)
  return done
}
