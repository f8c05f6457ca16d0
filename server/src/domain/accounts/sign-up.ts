import type { AttemptKey } from '../attempts.ts'
import type { Handler } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import { hashPassword } from './passwords.ts'
import { addPersonalWorkspace } from './personal-workspace.ts'
import { startSession } from './sessions.ts'
import { accountOf } from './views.ts'
import { requireStrong } from './weak-passwords.ts'

export const signUp: Handler<'signUp'> = async (context) => {
  const { address, attempts, body, store, now, settings } = context
  if (!settings.signUp) throw new Refusal('forbidden', 'Sign-up is turned off. Ask the operator for an account.')
  requireStrong(body.password, [body.email, body.name], 'password')
  const attempt = attempts.begin([askedMailboxes(address)], now)
  const passwordHash = await hashPassword(body.password, settings.passwordCost)
  const signedUp = await store.tx(async (store) => {
    const row = await store.accounts.add({ email: body.email, name: body.name, passwordHash, at: now })
    if (!row)
      throw new Refusal(
        'already_exists',
        'An account with this e-mail exists already. Sign in, or ask for a new password.',
      )
    await addPersonalWorkspace(store, row, now)
    return startSession({ ...context, store }, accountOf(row))
  })
  attempt.undo()
  return signedUp
}

/**
 * The refusal of a taken e-mail address tells that the mailbox has an account, so a caller gets few of them. A free address
 * in between does not forgive the others: undo its attempt.
 */
export function askedMailboxes(address: string): AttemptKey {
  return { name: `mailboxes asked by ${address}`, freeAttempts: 100 }
}
