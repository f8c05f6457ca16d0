import { isSegment, reservedWorkspaces } from '@tocsin/contract'
import { newToken } from '../../store/core/secret-box.ts'
import type { Store } from '../../store/index.ts'
import type { AttemptKey } from '../attempts.ts'
import type { Handler } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import { hashPassword, requireStrong } from './passwords.ts'
import { accountOf } from './read.ts'
import { startSession } from './sessions.ts'

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

const nameLengthMax = 56

/**
 * Gives a new account a workspace of its own, in the transaction that creates the account. The name comes from the
 * local part of the e-mail address; a taken or reserved name gets `-2`, `-3` and so on.
 */
export async function addPersonalWorkspace(
  store: Store,
  { id, email }: { id: string; email: string },
  now: Date,
): Promise<void> {
  const base = workspaceNameOf(email)
  const fields = { tags: [], labels: {}, meta: { title: 'Personal workspace' } }
  for (;;) {
    const taken = new Set([...reservedWorkspaces, ...(await store.workspaces.listNumbered(base))])
    const workspace = await store.workspaces.add(firstFree(base, taken), fields, newToken('invite'), now)
    // Another transaction took the name in between; the next list contains it.
    if (!workspace) continue
    await store.members.add(workspace.id, id, 'owner', now)
    return
  }
}

function firstFree(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base
  for (let number = 2; ; number++) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`
}

/** `Ann.Smith+alerts@example.org` → `ann-smith-alerts`. Short enough for a number behind it. */
export function workspaceNameOf(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@')).toLowerCase()
  const name = local
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, nameLengthMax)
    .replaceAll(/^-+|(?<!-)-+$/g, '')
  return isSegment(name) ? name : 'personal'
}
