import { sql } from 'kysely'
import type { Base } from '../core/base.ts'
import { firstAlertIds } from './first-alerts.ts'

/** An alert and one account that may see it. */
export type VisibleAlert = { viewer: string; id: string }

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
