import { sql } from 'kysely'
import type { Base } from '../core/base.ts'
import { firstSeen } from '../core/first-seen.ts'

/** An alert and one account that sees it. */
export type Seen = { viewer: string; id: string }

/** New alerts for all accounts that hold a stream open: each function is one statement, however many they are. */
export function alertFeedTable({ db }: Base) {
  return {
    /** For each account the oldest alerts after its own position. */
    async listNew(after: readonly { accountId: string; seq: string }[], limitEach: number): Promise<Seen[]> {
      const accounts = after.map(({ accountId }) => accountId)
      const positions = after.map(({ seq }) => seq)
      const seen = firstSeen('alerts', sql`v.account_id`, {
        conditions: [sql`x.seq > v.seq`],
        order: 'oldest',
        limit: limitEach,
      })
      const { rows } = await sql<Seen>`
        select v.account_id as viewer, f.id from unnest(${accounts}::text[], ${positions}::bigint[]) v(account_id, seq)
        cross join lateral ${seen} f(id)`.execute(db)
      return rows
    },
    /** Which of these accounts see which of these alerts now. */
    async listViewers(ids: readonly string[], accounts: readonly string[]): Promise<Seen[]> {
      if (ids.length === 0) return []
      const { rows } = await sql<Seen>`
        select v.account_id as viewer, a.id from alerts a cross join unnest(${accounts}::text[]) v(account_id)
        where a.id = any(${ids}) and (a.account_id = v.account_id or exists (select from members m
          where m.workspace_id = a.workspace_id and m.account_id = v.account_id and m.level in ('owner', 'admin')))`.execute(
        db,
      )
      return rows
    },
  }
}
