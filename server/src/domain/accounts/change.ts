import type { Store } from '../../store/index.ts'
import { endRequests } from '../access.ts'
import { requireAnyMatch } from '../answers.ts'
import { recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import { removeWorkspace } from '../remove-workspace.ts'
import { requireOwner } from './ownership/require-owner.ts'
import { hashPassword, requireStrong } from './passwords.ts'
import { accountOf, accountView } from './read.ts'
import { askedMailboxes } from './sign-up.ts'

/** Changes that people make to their own account. */

export const saveMe: Handler<'saveMe'> = async ({ account, body, preconditions, store, now }) => {
  requireAnyMatch(preconditions)
  const row = await store.accounts.setName(account.id, body.name, now)
  if (!row) throw new Refusal('unauthenticated')
  return accountView(accountOf(row))
}

/** Whoever knew the old password may have a session, so all other sessions end. Scripts keep their tokens. */
export const changePassword: Handler<'changePassword'> = async (context) => {
  const { account, body, preconditions, store, now, settings, tokenId } = context
  requireAnyMatch(preconditions)
  const { email, name } = await requireOwner(context, { password: body.current })
  requireStrong(body.next, [email, name], 'next')
  const passwordHash = await hashPassword(body.next, settings.passwordCost)
  await store.tx(async (store) => {
    await store.accounts.setPassword(account.id, passwordHash, now)
    await store.tokens.endSessions(account.id, tokenId)
    await store.passwordResets.removeOf(account.id)
  })
  return undefined
}

/** A mailed link goes to the old address, so it ends. */
export const changeEmail: Handler<'changeEmail'> = async (context) => {
  const { account, address, attempts, body, preconditions, store, now } = context
  requireAnyMatch(preconditions)
  await requireOwner(context, { password: body.password })
  const attempt = attempts.begin(
    [{ name: `new mailbox of ${account.id}`, freeAttempts: 10 }, askedMailboxes(address)],
    now,
  )
  const changed = await store.tx(async (store) => {
    const row = await store.accounts.setEmail(account.id, body.email, now)
    if (!row) throw new Refusal('already_exists', 'Another account has this e-mail address.')
    await store.passwordResets.removeOf(account.id)
    return accountView(accountOf(row))
  })
  attempt.undo()
  return changed
}

/** The locks keep another owner from leaving, and the account from getting a workspace, before the account is gone. */
export const deleteMe: Handler<'deleteMe'> = async (context) => {
  const { account, body, preconditions, store, now } = context
  requireAnyMatch(preconditions)
  await requireOwner(context, body)
  await store.tx(async (store) => {
    await store.accounts.lock(account.id)
    for (const { id } of await store.members.listWorkspaces(account.id)) await store.workspaces.lock(id)
    await removeEmptyWorkspaces(store, account.id, now)
    const workspaces = await store.members.listWorkspaces(account.id)
    const owned = workspaces.filter(({ is_only_owner }) => is_only_owner).map(({ fullname }) => fullname)
    if (owned.length > 0) throw onlyOwner(owned)
    for (const { id: workspaceId } of workspaces) {
      await endRequests(store, { accountId: account.id, workspaceId }, now)
      await recordChange(store, context, { action: 'member.remove', workspaceId, fullname: account.email })
    }
    await store.accounts.remove(account.id)
  })
  return undefined
}

/** A workspace without other members, projects and sources is of no use to anybody else. The locks keep it so. */
async function removeEmptyWorkspaces(store: Store, accountId: string, now: Date): Promise<void> {
  for (const { id, is_only_member } of await store.members.listWorkspaces(accountId))
    if (is_only_member && !(await store.workspaces.ownsAnything(id))) await removeWorkspace(store, id, now)
}

function onlyOwner(workspaces: string[]): Refusal {
  const names = workspaces.join(', ')
  const message = `You are the only owner of ${names}. Delete these workspaces first, or make another member an owner.`
  return new Refusal('last_owner', message, { workspaces })
}
