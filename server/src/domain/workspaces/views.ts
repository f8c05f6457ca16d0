import type { Level } from '@tocsin/contract'
import type { MemberWithAccount } from '../../store/identity/members.ts'
import type { WorkspaceRow } from '../../store/identity/workspaces.ts'
import type { Store } from '../../store/index.ts'
import { hasLevel } from '../access.ts'

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
