import { sql } from 'kysely'
import type { Base } from '../core/base.ts'

/** The columns that hold user content, with the column that names the owner. Pictures are counted separately. */
const storedColumns = [
  ['projects', 'workspace_id', ['tags', 'labels', 'meta']],
  ['templates', 'project_id', ['schema', 'groups', 'topics', 'rules', 'meta']],
  ['triggers', 'project_id', ['definition', 'providers', 'tags', 'labels', 'meta']],
  ['trigger_drafts', 'project_id', ['definition']],
  ['trigger_versions', 'project_id', ['content', 'changed']],
  ['project_secrets', 'project_id', ['value']],
  ['custom_sources', 'workspace_id', ['endpoints', 'settings', 'substrate', 'meta']],
  ['address_lists', 'workspace_id', ['addresses', 'meta']],
  ['resources', 'workspace_id', ['data', 'private', 'summary', 'tags', 'labels', 'meta']],
  [
    'subscriptions',
    'workspace_id',
    ['topics', 'vals', 'inputs', 'conditions', 'policy', 'delivery', 'overrides', 'meta'],
  ],
] as const
const storedTables = ['images', ...storedColumns.map(([table]) => table)]

/** How much of each quota a workspace uses. */
export function quotasTable({ db }: Base) {
  const readCount = async (query: ReturnType<typeof sql<{ used: string }>>) =>
    Number((await query.execute(db)).rows[0]?.used ?? 0)
  /** PostgreSQL stores the length of a large value beside it, so the query reads no picture. */
  const sumPictureBytes = (workspaceId: string) =>
    readCount(sql`select coalesce(sum(octet_length(bytes)), 0) as used from images
      where workspace_id = ${workspaceId} or project_id in (select id from projects where workspace_id = ${workspaceId})`)
  return {
    /** Locks until the transaction ends, so that no other request adds to this workspace while it is near a limit. */
    async lock(workspaceId: string): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`quotas of ${workspaceId}`}, 0))`.execute(db)
    },
    /** The estimated rows of these tables by PostgreSQL's statistics; undefined when one of them has no statistics. */
    async estimateRows(tables: readonly string[]): Promise<number | undefined> {
      const { rows } = await sql<{ count: number }>`select reltuples::float8 as count from pg_class
        where oid = any(${tables}::text[]::regclass[])`.execute(db)
      return rows.some(({ count }) => count < 0) ? undefined : rows.reduce((sum, { count }) => sum + count, 0)
    },
    countSubscriptions(workspaceId: string): Promise<number> {
      return readCount(sql`select count(*) as used from subscriptions where workspace_id = ${workspaceId}`)
    },
    /** A draft without a trigger counts too. */
    countTriggers(workspaceId: string): Promise<number> {
      return readCount(sql`select
        (select count(*) from triggers t join projects p on p.id = t.project_id where p.workspace_id = ${workspaceId}) +
        (select count(*) from trigger_drafts d join projects p on p.id = d.project_id where p.workspace_id = ${workspaceId}
          and not exists (select from triggers t where t.fullname = d.fullname)) as used`)
    },
    /** The size after PostgreSQL's compression. The size of a large value is in its row, so no large value is read. */
    async sumStoredBytes(workspaceId: string): Promise<number> {
      const sums = storedColumns.map(([table, owner, columns]) => {
        const bytes = columns.map((column) => sql`coalesce(pg_column_size(${sql.ref(column)}), 0)`)
        const isOwn =
          owner === 'workspace_id'
            ? sql`workspace_id = ${workspaceId}`
            : sql`project_id in (select id from projects where workspace_id = ${workspaceId})`
        return sql`(select coalesce(sum(${sql.join(bytes, sql` + `)}), 0) from ${sql.table(table)} where ${isOwn})`
      })
      const stored = await readCount(sql`select ${sql.join(sums, sql` + `)} as used`)
      return stored + (await sumPictureBytes(workspaceId))
    },
    /** The size of the tables on disk, for all workspaces. Its cost does not grow with the number of rows. */
    estimateStoredBytes(): Promise<number> {
      return readCount(
        sql`select sum(pg_table_size(name::regclass)) as used from unnest(${storedTables}::text[]) as name`,
      )
    },
    sumPictureBytes,
  }
}
