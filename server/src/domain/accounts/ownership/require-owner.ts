import { type OwnerProof, scopeNames } from '@tocsin/contract'
import type * as z from 'zod'
import type { AccountRow } from '../../../store/identity/accounts.ts'
import type { AttemptKey } from '../../attempts.ts'
import type { Context } from '../../handler.ts'
import { Refusal } from '../../refusal.ts'
import { findPasskey } from '../passkey-checks.ts'
import { isPassword } from '../passwords.ts'
import { requireNoMore } from '../tokens.ts'

type Asking = Pick<
  Context<'deleteMe'>,
  'access' | 'account' | 'address' | 'attempts' | 'now' | 'settings' | 'store' | 'tokenId'
>
type Proof = z.output<typeof OwnerProof>

/** An account without a password shows its owner by a sign-in that is not older than this. */
const freshMs = 5 * 60_000

/**
 * Checks before a change of the account that its owner is there, because a session or a token can be stolen: by the password, by
 * a passkey, or, if the account has no password, by a sign-in just now. Wrong answers count as guesses.
 */
export async function requireOwner(asking: Asking, proof: Proof): Promise<AccountRow> {
  const row = await asking.store.accounts.find(asking.account.id)
  if (!row) throw new Refusal('unauthenticated')
  if (proof.passkey) await requirePasskey(asking, proof.passkey)
  else if (row.password_hash !== null) await requirePassword(asking, row.password_hash, proof.password)
  else await requireFreshSignIn(asking, row)
  return row
}

async function requirePassword(asking: Asking, hash: string, password: string | undefined): Promise<void> {
  const { account, address, attempts, now, settings } = asking
  const keys = [{ name: `password of ${account.id}`, freeAttempts: 5 }, passwordsFrom(address)]
  const attempt = attempts.begin(keys, now)
  if (!(await isPassword(password ?? '', hash, settings.passwordCost)))
    throw new Refusal('forbidden', 'The current password is wrong.')
  attempt.succeed()
}

/** The passkey must verify the person, as at a sign-in without a password. */
async function requirePasskey(asking: Asking, response: NonNullable<Proof['passkey']>): Promise<void> {
  const { account, address, attempts, now } = asking
  const attempt = attempts.begin([{ name: `passkey address ${address}`, freeAttempts: 20 }], now)
  const found = await findPasskey(asking, 'passkey sign-in', response)
  if (found?.passkey.account_id !== account.id)
    throw new Refusal('forbidden', 'This passkey is not one of your account, or the answer took too long.')
  attempt.succeed()
}

/** The operator's account begins with a token alone, which must allow everything forever. */
async function requireFreshSignIn({ access, now, store, tokenId }: Asking, row: AccountRow): Promise<void> {
  const session = tokenId === undefined ? undefined : await store.tokens.findSession(tokenId)
  if (!session && !row.is_first)
    throw new Refusal('insufficient_scope', 'A token cannot do this. Sign in to your account in the console.')
  if (!session) return requireNoMore(access, scopeNames, null)
  if (now.getTime() - session.created_at.getTime() > freshMs)
    throw new Refusal(
      'forbidden',
      'Sign out and in again: without a password, this needs a sign-in in the last 5 minutes.',
    )
}

/** All wrong passwords from an IP address, whoever they are for. */
export function passwordsFrom(address: string): AttemptKey {
  return { name: `address ${address}`, freeAttempts: 100 }
}
