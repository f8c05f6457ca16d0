import { sql } from 'kysely'
import type { Base } from './base.ts'
import type { ChangeKind } from './tables.ts'

export type Change = { id: string; xid: string; kind: ChangeKind; entityId: string }
/** All changes committed before the call, from a transaction id on, and the id from which the next call has to read. */
export type CommittedChanges = { changes: Change[]; oldestXid: string }

/**
 * A crash or a failover loses the ids of transactions that were aborted just before, and the server assigns them again. Few
 * are lost, because every commit saves all ids before its own.
 */
const lostXidsMax = 100
const oldestXid = sql.raw(`greatest(0, pg_snapshot_xmin(pg_current_snapshot())::text::bigint - ${lostXidsMax})::text`)

/** The changes after which engines reload. Database triggers write these rows in the transaction of the change. */
export function changesTable({ db }: Base) {
  return {
    /**
     * Transactions get their ids before they commit, so a transaction with a higher id may become visible first. A caller
     * that continues from `oldestXid` and skips the changes it has already seen misses none.
     */
    async listFrom(xid: string): Promise<CommittedChanges> {
      const { rows } = await sql<{ oldest: string; changes: Change[] }>`
        select ${oldestXid} as oldest,
          coalesce((select json_agg(json_build_object('id', id::text, 'xid', xid::text, 'kind', kind, 'entityId', entity_id)
            order by xid, id) from changes where xid >= ${xid}::xid8), '[]'::json) as changes`.execute(db)
      const [row] = rows
      if (!row) throw new Error('the store returned no row')
      return { changes: row.changes, oldestXid: row.oldest }
    },
    /** A read after this call sees the effects of all transactions with lower ids. */
    async findOldestXid(): Promise<string> {
      const { rows } = await sql<{ oldest: string }>`
        select ${oldestXid} as oldest`.execute(db)
      return rows[0]?.oldest ?? '0'
    },
  }
}
