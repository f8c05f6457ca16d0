import { type Selectable, sql } from 'kysely'
import { type Base, newId, type PageQuery, pageOf } from '../core/base.ts'
import { hashToken } from '../core/secret-box.ts'
import type { AccessLinksTable } from '../core/tables.ts'

export type AccessLinkRow = Omit<Selectable<AccessLinksTable>, 'hash' | 'token'>

const columns = [
  'id',
  'project_id',
  'max_usages',
  'usages',
  'expires_at',
  'revoked_at',
  'created_at',
  'updated_at',
] as const

export function accessLinksTable({ db, box }: Base) {
  return {
    add(
      link: { projectId: string; token: string; maxUsages: number | null; expiresAt: Date | null },
      at: Date,
    ): Promise<AccessLinkRow> {
      return db
        .insertInto('access_links')
        .values({
          id: newId(),
          project_id: link.projectId,
          hash: hashToken(link.token),
          token: box.seal(link.token),
          max_usages: link.maxUsages,
          expires_at: link.expiresAt,
          revoked_at: null,
          created_at: at,
          updated_at: at,
        })
        .returning(columns)
        .executeTakeFirstOrThrow()
    },
    /** Includes the tokens, for members who may share them. */
    async listWithTokens(projectId: string, page: PageQuery) {
      const rows = await db
        .selectFrom('access_links')
        .select([...columns, 'token'])
        .where('project_id', '=', projectId)
        .$if(page.after !== undefined, (query) => query.where('id', '>', page.after ?? ''))
        .orderBy('id')
        .limit(page.limit + 1)
        .execute()
      const opened = rows.map((row) => ({ ...row, token: box.open(row.token) }))
      return pageOf<AccessLinkRow & { token: string }>(opened, page.limit, (row) => row.id)
    },
    /** Locks the link, so that it is not revoked and its project is not deleted between the check and the count. */
    lockByToken(token: string): Promise<AccessLinkRow | undefined> {
      return db
        .selectFrom('access_links')
        .select(columns)
        .where('hash', '=', hashToken(token))
        .forUpdate()
        .executeTakeFirst()
    },
    async wasOpenedBy(linkId: string, accountId: string): Promise<boolean> {
      const row = await db
        .selectFrom('access_link_openings')
        .select('link_id')
        .where('link_id', '=', linkId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row !== undefined
    },
    /** Returns false when all usages are taken. One statement checks and counts, so two callers cannot both take the last. */
    async takeUsage(id: string, at: Date): Promise<boolean> {
      const row = await db
        .updateTable('access_links')
        .set({ usages: sql`usages + 1`, updated_at: at })
        .where('id', '=', id)
        .where((where) => where.or([where('max_usages', 'is', null), where('usages', '<', where.ref('max_usages'))]))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
    async addOpening(linkId: string, accountId: string, at: Date): Promise<void> {
      await db
        .insertInto('access_link_openings')
        .values({ link_id: linkId, account_id: accountId, created_at: at })
        .execute()
    },
    /** Revoking a revoked link changes nothing. */
    async revoke(projectId: string, id: string, at: Date): Promise<boolean> {
      const row = await db
        .updateTable('access_links')
        .set((set) => ({ revoked_at: set.fn.coalesce('revoked_at', set.val(at)), updated_at: at }))
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
