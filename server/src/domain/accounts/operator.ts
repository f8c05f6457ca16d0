/** What the operator of the machine may do with an account, without signing in. */
import type { AuditAction } from '@tocsin/contract'
import { newToken } from '../../store/core/secret-box.ts'
import type { AccountRow } from '../../store/identity/accounts.ts'
import type { Store } from '../../store/index.ts'

/** How long a link that sets a new password works. */
export const resetLinkMs = 30 * 60_000

/** What each remedy did, in sentences. A token or a link is shown once and stored as a hash. */
export type Remedy = (store: Store, account: AccountRow, now: Date, publicUrl: string) => Promise<string[]>
export type RemedyName = 'token' | 'password-link' | 'end-sessions' | 'remove-second-factor'

export const remedies: Readonly<Record<RemedyName, Remedy>> = {
  async token(store, { id, email }, now) {
    const token = newToken('personal')
    await store.tokens.add({
      accountId: id,
      kind: 'personal',
      name: 'by the operator',
      token,
      expiresAt: null,
      at: now,
    })
    return [`A new token of ${email}, shown only once: ${token}`, 'Its other tokens and its password still work.']
  },
  async 'password-link'(store, account, now, publicUrl) {
    const token = newToken('reset')
    await store.passwordResets.add(account, token, new Date(now.getTime() + resetLinkMs), now)
    const isProven = account.email_verified_at !== null || account.is_first
    return [
      `This link sets a new password of ${account.email}. It works once, for 30 minutes: ${publicUrl}/reset-password#${token}`,
      isProven
        ? 'It ends the sessions of the account. A second factor is still asked for: --remove-second-factor ends it.'
        : 'The address was never confirmed, so the link also removes all tokens, passkeys and linked sign-ins.',
    ]
  },
  async 'end-sessions'(store, { id, email }) {
    await store.tokens.endSessions(id)
    return [`The sessions of ${email} have ended. Its tokens still work.`]
  },
  async 'remove-second-factor'(store, { id, email }) {
    await store.secondFactors.removeTotp(id)
    await store.secondFactors.replaceRecoveryCodes(id, [])
    await store.passkeys.removeAll(id)
    return [`${email} has no authenticator app, passkey or recovery code any more.`]
  },
}

/**
 * Applies the remedies in one transaction, with an entry in the audit log of each workspace of the account. Returns what
 * was done; undefined if no account has the address.
 */
export async function remedyAccount(
  store: Store,
  { email, names, publicUrl }: { email: string; names: readonly RemedyName[]; publicUrl: string },
  now: Date,
): Promise<string[] | undefined> {
  return store.tx(async (store) => {
    const account = await store.accounts.lockByEmail(email)
    if (!account) return undefined
    const done: string[] = []
    for (const name of names) {
      done.push(...(await remedies[name](store, account, now, publicUrl)))
      await recordRemedy(store, account, `account.${name}`, now)
    }
    return done
  })
}

async function recordRemedy(store: Store, { id, email }: AccountRow, action: AuditAction, now: Date): Promise<void> {
  const actor = { actorId: 'operator', actorName: 'Operator of the service', ip: '' }
  for (const { workspace_id: workspaceId } of await store.members.listOf([id]))
    await store.audit.add({ ...actor, workspaceId, action, fullname: email, paths: [] }, now)
}
