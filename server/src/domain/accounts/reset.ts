import { emailKey } from '../../store/identity/accounts.ts'
import type { AttemptKey } from '../attempts.ts'
import type { Context, Handler } from '../handler.ts'
import { invalidPayload, Refusal } from '../refusal.ts'
import { hashPassword } from './passwords.ts'
import { requireStrong } from './weak-passwords.ts'

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
  const accountId = await store.passwordResets.findAccountId(body.token, now)
  const account = accountId === undefined ? undefined : await store.accounts.find(accountId)
  if (!account) throw deadLink()
  attempt.succeed()
  requireStrong(body.password, [account.email, account.name], 'password')
  const passwordHash = await hashPassword(body.password, settings.passwordCost)
  await store.tx(async (store) => {
    if (!(await store.passwordResets.take(body.token))) throw deadLink()
    await store.accounts.setPassword(account.id, passwordHash, now)
    await store.tokens.endSessions(account.id)
    await store.passwordResets.removeOf(account.id)
  })
  return undefined
}

function deadLink(): Refusal {
  return invalidPayload([{ path: 'token', message: 'this link has expired or was used already; ask for a new one' }])
}
