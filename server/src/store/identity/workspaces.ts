import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { type Base, json, newId, type PageQuery, pageOf } from '../core/base.ts'
import { hashToken } from '../core/secret-box.ts'
import { precompiled } from '../core/statements.ts'
import type { MembersTable, WorkspacesTable } from '../core/tables.ts'

export type WorkspaceRow = Omit<Selectable<WorkspacesTable>, 'invite' | 'invite_hash'>
export type MemberWorkspaceRow = WorkspaceRow & { level: Selectable<MembersTable>['level'] }
export type WorkspaceFields = {
  tags: string[]
  labels: Record<string, string>
  meta: { title?: string; avatar?: string }
}

const columns = [
  'workspaces.id',
  'workspaces.fullname',
  'workspaces.tags',
  'workspaces.labels',
  'workspaces.meta',
  'workspaces.version',
  'workspaces.created_at',
  'workspaces.updated_at',
] as const

export function workspacesTable(base: Base) {
  const { db, box } = base
  return {
    find(fullname: string): Promise<WorkspaceRow | undefined> {
      return db.selectFrom('workspaces').select(columns).where('fullname', '=', fullname).executeTakeFirst()
    },
    /** The workspace with the caller's level, for members only. */
    async findForMember(fullname: string, accountId: string): Promise<MemberWorkspaceRow | undefined> {
      return (await ofMemberByName(base, accountId, fullname))[0]
    },
    /** Locks the row until the transaction ends. Others that change something in the workspace wait. */
    lock(id: string): Promise<WorkspaceRow | undefined> {
      return db.selectFrom('workspaces').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()
    },
    async listForMember(accountId: string, page: PageQuery) {
      const rows = await ofMember(base, accountId, page.after ?? '', page.limit + 1)
      return pageOf<MemberWorkspaceRow>(rows, page.limit, (row) => row.fullname)
    },
    /** Which of `name`, `name-2`, `name-3` … are taken. The name is a segment, so it contains no pattern characters. */
    async listNumbered(name: string): Promise<string[]> {
      const rows = await db
        .selectFrom('workspaces')
        .select('fullname')
        .where('fullname', 'like', `${name}%`)
        .where('fullname', '~', `^${name}(-[0-9]+)?$`)
        .execute()
      return rows.map(({ fullname }) => fullname)
    },
    /** Adds nothing when the name is taken. */
    add(fullname: string, fields: WorkspaceFields, invite: string, at: Date): Promise<WorkspaceRow | undefined> {
      return db
        .insertInto('workspaces')
        .values({
          id: newId(),
          fullname,
          tags: json(fields.tags),
          labels: json(fields.labels),
          meta: json(fields.meta),
          invite: box.seal(invite),
          invite_hash: hashToken(invite),
          created_at: at,
          updated_at: at,
        })
        .onConflict((conflict) => conflict.column('fullname').doNothing())
        .returning(columns)
        .executeTakeFirst()
    },
    update(id: string, fields: WorkspaceFields, at: Date): Promise<WorkspaceRow> {
      return db
        .updateTable('workspaces')
        .set({
          tags: json(fields.tags),
          labels: json(fields.labels),
          meta: json(fields.meta),
          version: sql`version + 1`,
          updated_at: at,
        })
        .where('id', '=', id)
        .returning(columns)
        .executeTakeFirstOrThrow()
    },
    async setInvite(id: string, invite: string): Promise<void> {
      await db
        .updateTable('workspaces')
        .set({ invite: box.seal(invite), invite_hash: hashToken(invite) })
        .where('id', '=', id)
        .execute()
    },
    /** Only for owners and admins: the invite lets its holder join. */
    async readInvite(id: string): Promise<string> {
      const row = await db.selectFrom('workspaces').select('invite').where('id', '=', id).executeTakeFirstOrThrow()
      return box.open(row.invite)
    },
    findByInvite(fullname: string, invite: string): Promise<WorkspaceRow | undefined> {
      return db
        .selectFrom('workspaces')
        .select(columns)
        .where('fullname', '=', fullname)
        .where('invite_hash', '=', hashToken(invite))
        .executeTakeFirst()
    },
    async ownsAnything(id: string): Promise<boolean> {
      const { rows } = await sql<{ owns: boolean }>`
        select exists (select from projects where workspace_id = ${id})
            or exists (select from custom_sources where workspace_id = ${id}) as owns`.execute(db)
      return rows[0]?.owns ?? false
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('workspaces').where('id', '=', id).execute()
    },
  }
}

const memberships = (db: Base['db'], accountId: string) =>
  db
    .selectFrom('workspaces')
    .innerJoin('members', 'members.workspace_id', 'workspaces.id')
    .select(columns)
    .select('members.level')
    .where('members.account_id', '=', accountId)

const ofMember = precompiled((db, accountId: string, after: string, limit: number) =>
  memberships(db, accountId).where('workspaces.fullname', '>', after).orderBy('workspaces.fullname').limit(limit),
)
const ofMemberByName = precompiled((db, accountId: string, fullname: string) =>
  memberships(db, accountId).where('workspaces.fullname', '=', fullname),
)
