import type { Level } from '@tocsin/contract'
import { emailKey } from '../../store/identity/accounts.ts'
import type { InvitationRow } from '../../store/identity/invitations.ts'
import type { MemberWithAccount } from '../../store/identity/members.ts'
import type { MemberWorkspaceRow } from '../../store/identity/workspaces.ts'
import type { Store } from '../../store/index.ts'
import { endRequests, hasLevel, requireMember, requireRank } from '../access.ts'
import { done, Page, requireAnyMatch } from '../answers.ts'
import { type Actor, recordChange } from '../audit.ts'
import type { Account, Handler } from '../handler.ts'
import { notFound, Refusal } from '../refusal.ts'
import { invitationState } from './invitations.ts'
import { requireMayTouch } from './owners.ts'
import { aclEntryView } from './read.ts'

export const listAcl: Handler<'listAcl'> = async ({ account, params, query, store }) => {
  const workspace = await requireMember(store, account, params.workspace)
  const { rows, next } = await store.members.list(workspace.id, { limit: query.limit, after: query.cursor })
  return new Page(
    rows.map((row) => aclEntryView(row, workspace.level)),
    next,
  )
}

/** A wrong invite and a missing workspace give the same response. */
export const joinWorkspace: Handler<'joinWorkspace'> = async (context) =>
  context.store.tx(async (store) => {
    const { account, params, body, now } = context
    const { workspaceId, level } = await requireInvite(store, context, params.workspace, body.invite)
    const isNew = await store.members.add(workspaceId, account.id, level, now)
    if (isNew) await recordMember(store, context, workspaceId, { action: 'member.join', email: account.email })
    else await raiseLevel(store, context, workspaceId, level)
    return undefined
  })

/** An invitation by e-mail can raise the role of a member, and never lowers it. Its workspace is locked. */
async function raiseLevel(store: Store, actor: Actor, workspaceId: string, level: Level): Promise<void> {
  const { account, now } = actor
  if (hasLevel(await store.members.findLevel(workspaceId, account.id), level)) return
  await store.members.setLevelOf(workspaceId, account.id, level, now)
  await recordMember(store, actor, workspaceId, { action: 'member.save', email: account.email, paths: ['level'] })
}

/** The invite of the workspace makes a `user`. An invitation by e-mail has a role, works once, and for its address alone. */
async function requireInvite(
  store: Store,
  { account, now }: Actor,
  fullname: string,
  invite: string,
): Promise<{ workspaceId: string; level: Level }> {
  const open = await store.workspaces.findByInvite(fullname, invite)
  if (open) return { workspaceId: open.id, level: 'user' }
  const workspace = await store.workspaces.find(fullname)
  // The same order of locks as a change of roles, which ends invitations.
  if (workspace) await store.workspaces.lock(workspace.id)
  const invitation = workspace && (await store.invitations.lockByToken(workspace.id, invite))
  if (!invitation) throw notFound('There is no workspace with this invite.')
  requirePending(invitation, now)
  if (invitation.email_key !== emailKey(account.email))
    throw new Refusal('forbidden', 'This invitation is for another e-mail address. Sign in with that address.')
  await requireProven(store, account, invitation, now)
  await store.invitations.accept(invitation.id, now)
  return { workspaceId: invitation.workspace_id, level: invitation.level }
}

/**
 * The link was mailed to the address, so it verifies the address of an account that only its password opens. If the account has
 * tokens or other ways in, a stranger may have set them up: then the owner shows first that the address is theirs.
 */
async function requireProven(store: Store, { id }: Account, { email_key }: InvitationRow, now: Date): Promise<void> {
  const row = await store.accounts.lock(id)
  // The address changed meanwhile, or the account is gone.
  if (row?.email_key !== email_key) throw new Refusal('unauthenticated')
  if (row.email_verified_at !== null) return
  if (await store.accounts.hasOtherWaysIn(id)) throw new Refusal('email_not_verified', notProven)
  await store.accounts.setVerified(id, now)
}

const notProven = 'Show first that your e-mail address is yours: ask for a link under E-mail address in your account.'

const whyDead = {
  expired: ['link_expired', 'This invitation has expired. Ask for a new one.'],
  accepted: ['link_exhausted', 'This invitation was used already.'],
  revoked: ['link_revoked', 'This invitation was revoked.'],
} as const

function requirePending(invitation: InvitationRow, now: Date): void {
  const state = invitationState(invitation, now)
  if (state === 'pending') return
  const [code, message] = whyDead[state]
  throw new Refusal(code, message)
}

export const saveAclEntry: Handler<'saveAclEntry'> = ({ account, ip, params, body, preconditions, store, now }) =>
  store.tx(async (store) => {
    const { workspace, entry } = await requireEntry(store, account, params)
    requireRank(workspace.level, 'admin')
    requireMayTouch(workspace.level, entry.level)
    requireMayTouch(workspace.level, body.level)
    requireAnyMatch(preconditions)
    if (entry.level === 'owner' && body.level !== 'owner') await requireAnotherOwner(store, workspace.id)
    await store.members.setLevel(entry.id, body.level, now)
    const change = { action: 'member.save', email: entry.email, paths: ['level'] } as const
    await recordMember(store, { account, ip, now }, workspace.id, change)
    await endRequests(store, { accountId: entry.account_id, workspaceId: workspace.id, level: body.level }, now)
    return undefined
  })

export const deleteAclEntry: Handler<'deleteAclEntry'> = ({ account, ip, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const { workspace, entry } = await requireEntry(store, account, params)
    if (entry.account_id !== account.id) {
      requireRank(workspace.level, 'admin')
      requireMayTouch(workspace.level, entry.level)
    }
    requireAnyMatch(preconditions)
    if (entry.level === 'owner') await requireAnotherOwner(store, workspace.id)
    await store.members.remove(entry.id)
    const change = { action: 'member.remove', email: entry.email } as const
    await recordMember(store, { account, ip, now }, workspace.id, change)
    await endRequests(store, { accountId: entry.account_id, workspaceId: workspace.id }, now)
    return done
  })

type Entry = { workspace: MemberWorkspaceRow; entry: MemberWithAccount }
type MemberChange = {
  action: 'member.join' | 'member.save' | 'member.remove'
  email: string
  paths?: readonly string[]
}

/** Owners and admins see the e-mail addresses of members, and only they read the log. */
function recordMember(store: Store, actor: Actor, workspaceId: string, { email, ...change }: MemberChange) {
  return recordChange(store, actor, { ...change, workspaceId, fullname: email })
}

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

async function requireAnotherOwner(store: Store, workspaceId: string): Promise<void> {
  if ((await store.members.countOwners(workspaceId)) < 2) throw new Refusal('last_owner')
}
