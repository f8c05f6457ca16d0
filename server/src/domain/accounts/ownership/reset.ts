import { type AccountRow, emailKey } from '../../../store/identity/accounts.ts'
import type { Store } from '../../../store/index.ts'
import type { AttemptKey } from '../../attempts.ts'
import type { Context, Handler } from '../../handler.ts'
import { invalidPayload, Refusal } from '../../refusal.ts'
import { hashPassword, requireStrong } from '../passwords.ts'

/**
 * The reply and its time are the same for every mailbox: the request only adds a job, and the job finds out if the
 * mailbox has an account. A mailbox or caller that asks too often gets the same reply and no mail.
 */
export const forgotPassword: Handler<'forgotPassword'> = async (context) => {
  const { body, engine, store, now } = context
  if (!engine.channels.mail || asksTooOften(context)) return undefined
  await store.jobs.add('mail', [{ data: { kind: 'reset', email: body.email, requestedAtMs: now.getTime() } }])
  return undefined
}

function asksTooOften({ address, attempts, body, now }: Context<'forgotPassword'>): boolean {
  const keys: AttemptKey[] = [
    { name: `reset mails to ${emailKey(body.email)}`, freeAttempts: 3 },
    { name: `reset mails for ${address}`, freeAttempts: 20 },
  ]
  try {
    attempts.begin(keys, now)
    return false
  } catch (error) {
    if (error instanceof Refusal) return true
    throw error
  }
}

/** The link is used up only if the new password is accepted. It does not sign in: a second factor is still asked for. */
export const resetPassword: Handler<'resetPassword'> = async (context) => {
  const { address, attempts, body, store, now, settings } = context
  const attempt = attempts.begin([{ name: `reset address ${address}`, freeAttempts: 20 }], now)
  const found = await store.passwordResets.find(body.token, now)
  if (!found) throw deadLink()
  attempt.succeed()
  requireStrong(body.password, [found.email, found.name], 'password')
  const passwordHash = await hashPassword(body.password, settings.passwordCost)
  await store.tx(async (store) => {
    // Nothing is added to the account until the transaction ends, and its address does not change.
    await store.accounts.lock(found.id)
    const account = await store.passwordResets.find(body.token, now)
    if (!account || !(await store.passwordResets.take(body.token))) throw deadLink()
    await endOldWaysIn(store, account, body.endTokens === true)
    await store.accounts.setPassword(account.id, passwordHash, now)
    await store.accounts.setVerified(account.id, now)
  })
  return undefined
}

/**
 * Until now nobody had shown that the address is theirs, so what was set up may be a stranger's who signed up with it: all of
 * it goes. The operator chose the address of the first account, so there is no stranger.
 */
async function endOldWaysIn(store: Store, account: AccountRow, endTokens: boolean): Promise<void> {
  if (account.email_verified_at === null && !account.is_first) return store.accounts.removeWaysIn(account.id)
  await store.tokens.endSessions(account.id)
  if (endTokens) await store.tokens.removePersonal(account.id)
  await store.passwordResets.removeOf(account.id)
}

function deadLink(): Refusal {
  return invalidPayload([{ path: 'token', message: 'this link has expired or was used already; ask for a new one' }])
}
