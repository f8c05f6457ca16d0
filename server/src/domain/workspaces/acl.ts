import type { Level } from '@tocsin/contract'
import type { MemberRow } from '../../store/identity/members.ts'
import type { MemberWorkspaceRow } from '../../store/identity/workspaces.ts'
import type { Store } from '../../store/index.ts'
import { cancelOffers, hasLevel, requireMember, requireRank } from '../access.ts'
import { done, Page, requireAnyMatch } from '../answers.ts'
import type { Account, Handler } from '../handler.ts'
import { notFound, Refusal } from '../refusal.ts'
import { aclEntryView } from './views.ts'

export const listAcl: Handler<'listAcl'> = async ({ account, params, query, store }) => {
  const workspace = await requireMember(store, account, params.workspace)
  const { rows, next } = await store.members.list(workspace.id, { limit: query.limit, after: query.cursor })
  return new Page(
    rows.map((row) => aclEntryView(row, workspace.level)),
    next,
  )
}

/** A wrong invite and a missing workspace give the same response. */
export const joinWorkspace: Handler<'joinWorkspace'> = async ({ account, params, body, store, now }) => {
  const workspace = await store.workspaces.findByInvite(params.workspace, body.invite)
  if (!workspace) throw notFound('There is no workspace with this invite.')
  await store.members.add(workspace.id, account.id, 'user', now)
  return undefined
}

export const saveAclEntry: Handler<'saveAclEntry'> = ({ account, params, body, preconditions, store, now }) =>
  store.tx(async (store) => {
    const { workspace, entry } = await requireEntry(store, account, params)
    requireRank(workspace.level, 'admin')
    requireMayTouch(workspace.level, entry.level)
    requireMayTouch(workspace.level, body.level)
    requireAnyMatch(preconditions)
    if (entry.level === 'owner' && body.level !== 'owner') await requireAnotherOwner(store, workspace.id)
    await store.members.setLevel(entry.id, body.level, now)
    if (body.level !== 'owner') await cancelOffers(store, entry.account_id, workspace.id, now)
    return undefined
  })

export const deleteAclEntry: Handler<'deleteAclEntry'> = ({ account, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const { workspace, entry } = await requireEntry(store, account, params)
    if (entry.account_id !== account.id) {
      requireRank(workspace.level, 'admin')
      requireMayTouch(workspace.level, entry.level)
    }
    requireAnyMatch(preconditions)
    if (entry.level === 'owner') await requireAnotherOwner(store, workspace.id)
    await store.members.remove(entry.id)
    await cancelOffers(store, entry.account_id, workspace.id, now)
    return done
  })

type Entry = { workspace: MemberWorkspaceRow; entry: MemberRow }

/** Locks the workspace's row, so that two owners cannot demote each other at the same moment. */
async function requireEntry(
  store: Store,
  account: Account,
  params: { workspace: string; entryId: string },
): Promise<Entry> {
  const seen = await requireMember(store, account, params.workspace)
  await store.workspaces.lock(seen.id)
  const workspace = await requireMember(store, account, params.workspace)
  const entry = await store.members.find(workspace.id, params.entryId)
  if (!entry) throw notFound('There is no such member.')
  return { workspace, entry }
}

/** An admin can neither change nor appoint owners. */
function requireMayTouch(actor: Level, level: Level): void {
  if (level === 'owner' && !hasLevel(actor, 'owner')) throw new Refusal('forbidden', 'Only owners can change owners.')
}

async function requireAnotherOwner(store: Store, workspaceId: string): Promise<void> {
  if ((await store.members.countOwners(workspaceId)) < 2) throw new Refusal('last_owner')
}
