import type { Level } from '@tocsin/contract'
import type { MemberWithAccount } from '../../store/identity/members.ts'
import type { WorkspaceRow } from '../../store/identity/workspaces.ts'
import type { Store } from '../../store/index.ts'
import { hasLevel, requireMember } from '../access.ts'
import { Page, Tagged, tagOf } from '../answers.ts'
import type { Handler } from '../handler.ts'

export const listWorkspaces: Handler<'listWorkspaces'> = async ({ account, query, store }) => {
  const { rows, next } = await store.workspaces.listForMember(account.id, { limit: query.limit, after: query.cursor })
  return new Page(
    rows.map((row) => shortView(row, row.level)),
    next,
  )
}

export const getWorkspace: Handler<'getWorkspace'> = async ({ account, params, store }) => {
  const row = await requireMember(store, account, params.fullname)
  return new Tagged(await workspaceView(store, row, row.level), tagOf(row))
}

export function shortView(row: WorkspaceRow, level: Level) {
  return {
    id: row.id,
    fullname: row.fullname,
    tags: row.tags,
    labels: row.labels,
    meta: row.meta,
    level,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** With the invite anyone can join, so only members who may invite see it. */
export async function workspaceView(store: Store, row: WorkspaceRow, level: Level) {
  const view = shortView(row, level)
  return hasLevel(level, 'admin') ? { ...view, invite: await store.workspaces.readInvite(row.id) } : view
}

export function aclEntryView(row: MemberWithAccount, viewer: Level) {
  return {
    id: row.id,
    level: row.level,
    user: { id: row.account_id, name: row.name, ...(hasLevel(viewer, 'admin') && { email: row.email }) },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
