import { emailKey } from '../../../store/identity/accounts.ts'
import type { Handler } from '../../handler.ts'
import { invalidPayload, Refusal } from '../../refusal.ts'

/** The person who is signed in shows by a mailed link that the address is theirs. Nothing of the account is removed. */

export type AddressProof = { accountId: string; emailKey: string }

export const requestAddressProof: Handler<'requestAddressProof'> = async (context) => {
  const { account, attempts, engine, now, store } = context
  if (!engine.channels.mail) throw new Refusal('feature_unavailable', 'E-mail is off. The operator must set SMTP_URL.')
  const row = await store.accounts.find(account.id)
  if (!row) throw new Refusal('unauthenticated')
  if (row.email_verified_at !== null) return undefined
  attempts.begin([{ name: `address proofs to ${row.email_key}`, freeAttempts: 3 }], now)
  attempts.begin([{ name: `address proofs of ${account.id}`, freeAttempts: 10 }], now)
  const data = { kind: 'verify', accountId: account.id, requestedAtMs: now.getTime() }
  await store.jobs.add('mail', [{ data }])
  return undefined
}

/** The link alone proves nothing: somebody else may have signed up with the address and asked for it. */
export const proveAddress: Handler<'proveAddress'> = async ({ account, body, store, now }) => {
  await store.tx(async (store) => {
    const row = await store.accounts.lock(account.id)
    const proof = await store.challenges.take<AddressProof>('e-mail', body.token, now)
    if (!row || !proof || proof.accountId !== row.id || proof.emailKey !== emailKey(row.email)) throw deadLink()
    await store.accounts.setVerified(row.id, now)
  })
  return undefined
}

function deadLink(): Refusal {
  const message = 'this link has expired, was used already or is for another account; ask for a new one'
  return invalidPayload([{ path: 'token', message }])
}
