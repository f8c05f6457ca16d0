import type { AccountRow } from '../../store/identity/accounts.ts'
import type { Context } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import { isPassword } from './passwords.ts'

type Asking = Pick<Context<'deleteMe'>, 'account' | 'address' | 'attempts' | 'now' | 'settings' | 'store'>

/**
 * Checks the password before a change that a stolen session must not make. An account without a password (the first
 * administrator, accounts of an identity provider or a wallet) has nothing to check. Wrong passwords count as guesses.
 */
export async function requirePassword(asking: Asking, password: string | undefined): Promise<AccountRow> {
  const { account, address, attempts, now, settings, store } = asking
  const keys = [
    { name: `password of ${account.id}`, freeAttempts: 5 },
    { name: `address ${address}`, freeAttempts: 20 },
  ]
  const attempt = attempts.begin(keys, now)
  const row = await store.accounts.find(account.id)
  if (!row) throw new Refusal('unauthenticated')
  const isRight =
    row.password_hash === null || (await isPassword(password ?? '', row.password_hash, settings.passwordCost))
  if (!isRight) throw new Refusal('forbidden', 'The current password is wrong.')
  attempt.succeed()
  return row
}
