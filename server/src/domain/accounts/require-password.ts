import { scopeNames } from '@tocsin/contract'
import type { AccountRow } from '../../store/identity/accounts.ts'
import type { AttemptKey } from '../attempts.ts'
import type { Context } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import { isPassword } from './passwords.ts'
import { requireNoMore } from './tokens.ts'

type Asking = Pick<Context<'deleteMe'>, 'access' | 'account' | 'address' | 'attempts' | 'now' | 'settings' | 'store'>

/**
 * Checks the password before a change that a stolen session must not make. Wrong passwords count as guesses. An account
 * without a password (the first administrator, accounts of an identity provider or a wallet) has none to check. There the
 * caller's token must allow everything forever: otherwise a weaker token could change the address, have a reset mailed to
 * it, and sign in.
 */
export async function requirePassword(asking: Asking, password: string | undefined): Promise<AccountRow> {
  const { access, account, address, attempts, now, settings, store } = asking
  const row = await store.accounts.find(account.id)
  if (!row) throw new Refusal('unauthenticated')
  if (row.password_hash === null) {
    requireNoMore(access, scopeNames, null)
    return row
  }
  const keys = [{ name: `password of ${account.id}`, freeAttempts: 5 }, passwordsFrom(address)]
  const attempt = attempts.begin(keys, now)
  if (!(await isPassword(password ?? '', row.password_hash, settings.passwordCost)))
    throw new Refusal('forbidden', 'The current password is wrong.')
  attempt.succeed()
  return row
}

/** All wrong passwords from an IP address, whoever they are for. */
export function passwordsFrom(address: string): AttemptKey {
  return { name: `address ${address}`, freeAttempts: 100 }
}
