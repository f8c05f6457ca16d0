import { sql } from 'kysely'
import type { Base } from '../core/base.ts'

/** How much of each quota a workspace uses. */
export function quotasTable({ db }: Base) {
  const readCount = async (query: ReturnType<typeof sql<{ used: string }>>) =>
    Number((await query.execute(db)).rows[0]?.used ?? 0)
  return {
    /** From here to the end of the transaction, nobody else adds to this workspace while it is near a limit. */
    async lock(workspaceId: string): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`quotas of ${workspaceId}`}, 0))`.execute(db)
    },
    /** The rows of some tables by PostgreSQL's statistics; undefined while it has none of one of them. */
    async estimateRows(tables: readonly string[]): Promise<number | undefined> {
      const { rows } = await sql<{ count: number }>`select reltuples::float8 as count from pg_class
        where oid = any(${tables}::text[]::regclass[])`.execute(db)
      return rows.some(({ count }) => count < 0) ? undefined : rows.reduce((sum, { count }) => sum + count, 0)
    },
    countSubscriptions(workspaceId: string): Promise<number> {
      return readCount(sql`select count(*) as used from subscriptions where workspace_id = ${workspaceId}`)
    },
    /** A draft without a trigger takes a place too. */
    countTriggers(workspaceId: string): Promise<number> {
      return readCount(sql`select
        (select count(*) from triggers t join projects p on p.id = t.project_id where p.workspace_id = ${workspaceId}) +
        (select count(*) from trigger_drafts d join projects p on p.id = d.project_id where p.workspace_id = ${workspaceId}
          and not exists (select from triggers t where t.fullname = d.fullname)) as used`)
    },
    /** The length of a large value stands beside it, so no picture is read. */
    sumPictureBytes(workspaceId: string): Promise<number> {
      return readCount(sql`select coalesce(sum(octet_length(bytes)), 0) as used from images
        where workspace_id = ${workspaceId} or project_id in (select id from projects where workspace_id = ${workspaceId})`)
    },
  }
}
