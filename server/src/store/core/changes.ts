import { sql } from 'kysely'
import type { Base } from './base.ts'
import type { ChangeKind } from './tables.ts'

export type Change = { id: string; xid: string; kind: ChangeKind; entityId: string }
/** All that was committed before the call, from a transaction on; and the oldest transaction that is still under way. */
export type ChangesSeen = { changes: Change[]; oldestXid: string }

/** What engines reload: rows that triggers of the database write in the transaction of the change itself. */
export function changesTable({ db }: Base) {
  return {
    /**
     * Numbers are given out before transactions end, so a later one may be seen first. Whoever starts again at
     * `oldestXid` each time, and leaves out what it has seen already, passes over none and waits for none.
     */
    async listFrom(xid: string): Promise<ChangesSeen> {
      const { rows } = await sql<{ oldest: string; changes: Change[] }>`
        select pg_snapshot_xmin(pg_current_snapshot())::text as oldest,
          coalesce((select json_agg(json_build_object('id', id::text, 'xid', xid::text, 'kind', kind, 'entityId', entity_id)
            order by xid, id) from changes where xid >= ${xid}::xid8), '[]'::json) as changes`.execute(db)
      const [row] = rows
      if (!row) throw new Error('the store answered no row')
      return { changes: row.changes, oldestXid: row.oldest }
    },
    /** What is read after this sees all that older transactions did. */
    async oldestXid(): Promise<string> {
      const { rows } = await sql<{ oldest: string }>`
        select pg_snapshot_xmin(pg_current_snapshot())::text as oldest`.execute(db)
      return rows[0]?.oldest ?? '0'
    },
  }
}
