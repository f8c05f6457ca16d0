import { sql } from 'kysely'
import type { Base } from '../core/base.ts'
import { firstAlertIds } from './first-alerts.ts'

/** An alert and one account that may see it. */
export type VisibleAlert = { viewer: string; id: string }
/**
 * A snapshot of PostgreSQL: which transactions had been committed. On a replica it does not list those in progress, so it
 * is not exact there.
 */
export type FeedSnapshot = { snapshot: string; isExact: boolean }

/** The id of the transaction that wrote a row, as 64 bits: the row has the last 32, and the id is not in the future. */
const writerOf = (row: string) =>
  sql.raw(`(now.xmax - ((now.xmax - ${row}.xmin::text::bigint) & 4294967295))::text::xid8`)

/** New alerts for all accounts with an open stream. Each function is one statement for any number of accounts. */
export function alertFeedTable({ db }: Base) {
  return {
    /** For each account the oldest alerts after its own position. */
    async listNew(after: readonly { accountId: string; seq: string }[], limitEach: number): Promise<VisibleAlert[]> {
      const accounts = after.map(({ accountId }) => accountId)
      const positions = after.map(({ seq }) => seq)
      const seen = firstAlertIds(sql`v.account_id`, {
        filter: {},
        from: sql`x.seq > v.seq`,
        order: 'oldest',
        limit: limitEach,
      })
      const { rows } = await sql<VisibleAlert>`
        select v.account_id as viewer, f.id from unnest(${accounts}::text[], ${positions}::bigint[]) v(account_id, seq)
        cross join lateral ${seen} f(id)`.execute(db)
      return rows
    },
    /** On a replica everything after the oldest transaction in progress counts as not seen. */
    async readSnapshot(): Promise<FeedSnapshot> {
      const { rows } = await sql<FeedSnapshot>`
        select case when pg_is_in_recovery()
          then pg_snapshot_xmin(s)::text || ':' || pg_snapshot_xmin(s)::text || ':' else s::text end as snapshot,
          not pg_is_in_recovery() as "isExact"
        from pg_current_snapshot() s`.execute(db)
      const [row] = rows
      if (!row) throw new Error('PostgreSQL gave no snapshot.')
      return row
    },
    /** Which of these alerts, or their deliveries, were written by transactions that the snapshot does not see. */
    async listWrittenAfter(ids: readonly string[], snapshot: string): Promise<Set<string>> {
      if (ids.length === 0) return new Set()
      const isAfter = (row: string) => sql`not pg_visible_in_snapshot(${writerOf(row)}, ${snapshot}::pg_snapshot)`
      const { rows } = await sql<{ id: string }>`
        select a.id from alerts a,
          (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xmax) now
        where a.id = any(${ids}) and (${isAfter('a')}
          or exists (select from deliveries d where d.alert_id = a.id and ${isAfter('d')}))`.execute(db)
      return new Set(rows.map(({ id }) => id))
    },
    /** Which of these accounts see which of these alerts now. */
    async listViewers(ids: readonly string[], accounts: readonly string[]): Promise<VisibleAlert[]> {
      if (ids.length === 0) return []
      const { rows } = await sql<VisibleAlert>`
        select v.account_id as viewer, a.id from alerts a cross join unnest(${accounts}::text[]) v(account_id)
        where a.id = any(${ids}) and (a.account_id = v.account_id or exists (select from members m
          where m.workspace_id = a.workspace_id and m.account_id = v.account_id and m.level in ('owner', 'admin')))`.execute(
        db,
      )
      return rows
    },
  }
}
