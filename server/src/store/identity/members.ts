import type { Level } from '@tocsin/contract'
import { type Selectable, sql } from 'kysely'
import { type Base, newId, type PageQuery, pageOf } from '../core/base.ts'
import type { AccountsTable, MembersTable } from '../core/tables.ts'

type AccountRow = Selectable<AccountsTable>
export type MemberRow = Selectable<MembersTable>
export type OwnWorkspace = { id: string; fullname: string; is_only_owner: boolean; is_only_member: boolean }
export type MemberWithAccount = MemberRow & { name: string; email: string }

export function membersTable({ db }: Base) {
  return {
    async findLevel(workspaceId: string, accountId: string): Promise<Level | undefined> {
      const row = await db
        .selectFrom('members')
        .select('level')
        .where('workspace_id', '=', workspaceId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row?.level
    },
    /** The workspaces of each of these accounts. */
    listOf(accountIds: readonly string[]): Promise<Pick<MemberRow, 'account_id' | 'workspace_id'>[]> {
      return db
        .selectFrom('members')
        .select(['account_id', 'workspace_id'])
        .where('account_id', '=', sql<string>`any(${accountIds})`)
        .execute()
    },
    /** The workspaces of an account and whether it is their only owner or member, always in the same order. */
    listWorkspaces(accountId: string): Promise<OwnWorkspace[]> {
      return db
        .selectFrom('members')
        .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
        .select(['workspaces.id', 'workspaces.fullname'])
        .select(
          sql<boolean>`members.level = 'owner' and not exists (select 1 from members as other
            where other.workspace_id = members.workspace_id and other.level = 'owner' and other.id <> members.id)`.as(
            'is_only_owner',
          ),
        )
        .select(
          sql<boolean>`not exists (select 1 from members as other
            where other.workspace_id = members.workspace_id and other.id <> members.id)`.as('is_only_member'),
        )
        .where('members.account_id', '=', accountId)
        .orderBy('workspaces.id')
        .execute()
    },
    /** The account that has owned the workspace for the longest time. */
    findOwner(workspaceId: string): Promise<Pick<AccountRow, 'id' | 'email' | 'name' | 'created_at'> | undefined> {
      return db
        .selectFrom('members')
        .innerJoin('accounts', 'accounts.id', 'members.account_id')
        .select(['accounts.id', 'accounts.email', 'accounts.name', 'accounts.created_at'])
        .where('members.workspace_id', '=', workspaceId)
        .where('members.level', '=', 'owner')
        .orderBy('members.created_at')
        .orderBy('members.id')
        .executeTakeFirst()
    },
    find(workspaceId: string, id: string): Promise<MemberWithAccount | undefined> {
      return db
        .selectFrom('members')
        .innerJoin('accounts', 'accounts.id', 'members.account_id')
        .selectAll('members')
        .select(['accounts.name', 'accounts.email'])
        .where('members.workspace_id', '=', workspaceId)
        .where('members.id', '=', id)
        .executeTakeFirst()
    },
    async list(workspaceId: string, page: PageQuery) {
      const rows = await db
        .selectFrom('members')
        .innerJoin('accounts', 'accounts.id', 'members.account_id')
        .selectAll('members')
        .select(['accounts.name', 'accounts.email'])
        .where('members.workspace_id', '=', workspaceId)
        .$if(page.after !== undefined, (query) => query.where('members.id', '>', page.after ?? ''))
        .orderBy('members.id')
        .limit(page.limit + 1)
        .execute()
      return pageOf<MemberWithAccount>(rows, page.limit, (row) => row.id)
    },
    /** False if the account is a member already: then nothing changes, and the level stays. */
    async add(workspaceId: string, accountId: string, level: Level, at: Date): Promise<boolean> {
      const added = await db
        .insertInto('members')
        .values({
          id: newId(),
          workspace_id: workspaceId,
          account_id: accountId,
          level,
          created_at: at,
          updated_at: at,
        })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'account_id']).doNothing())
        .returning('id')
        .executeTakeFirst()
      return added !== undefined
    },
    async setLevel(id: string, level: Level, at: Date): Promise<void> {
      await db.updateTable('members').set({ level, updated_at: at }).where('id', '=', id).execute()
    },
    async setLevelOf(workspaceId: string, accountId: string, level: Level, at: Date): Promise<void> {
      await db
        .updateTable('members')
        .set({ level, updated_at: at })
        .where('workspace_id', '=', workspaceId)
        .where('account_id', '=', accountId)
        .execute()
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('members').where('id', '=', id).execute()
    },
    async countOwners(workspaceId: string): Promise<number> {
      const row = await db
        .selectFrom('members')
        .select((select) => select.fn.countAll<string>().as('count'))
        .where('workspace_id', '=', workspaceId)
        .where('level', '=', 'owner')
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },
  }
}
