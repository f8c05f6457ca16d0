import { sql } from 'kysely'
import type { Base } from './base.ts'
import type { ChangeKind } from './tables.ts'

export type Change = { kind: ChangeKind; entityId: string }
/**
 * How far a reader has read. It knows the changes up to `lastId` whose transactions had ended in `snapshot`. It reads on
 * from the transaction `xid`, because older ones had ended.
 */
export type ChangesPosition = { xid: string; snapshot: string; lastId: string }
export type NewChanges = { changes: Change[]; position: ChangesPosition }

/**
 * A crash or a failover loses the ids of transactions that were aborted just before, and the server assigns them again. Few
 * are lost, because every commit saves all ids before its own. The ids of changes are not assigned again after a commit.
 */
const lostXidsMax = 100
const positionNow = sql.raw(`json_build_object('snapshot', pg_current_snapshot()::text,
  'xid', greatest(0, pg_snapshot_xmin(pg_current_snapshot())::text::bigint - ${lostXidsMax})::text,
  'lastId', coalesce((select max(id) from changes), 0)::text)`)

/** The changes after which engines reload. Database triggers write these rows in the transaction of the change. */
export function changesTable({ db }: Base) {
  return {
    /**
     * All changes that were committed after the position and before the call. Transactions get their ids before they
     * commit, so a transaction with a higher id may become visible first: the snapshot tells which ones had ended.
     */
    async listSince({ xid, snapshot, lastId }: ChangesPosition): Promise<NewChanges> {
      const { rows } = await sql<NewChanges>`
        select ${positionNow} as position,
          coalesce((select json_agg(json_build_object('kind', kind, 'entityId', entity_id) order by xid, id) from changes
            where xid >= ${xid}::xid8
              and not (id <= ${lastId}::bigint and pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot))),
            '[]'::json) as changes`.execute(db)
      const [row] = rows
      if (!row) throw new Error('the store returned no row')
      return row
    },
    /** A read after this call sees the effects of all changes up to the position. */
    async findPosition(): Promise<ChangesPosition> {
      const { rows } = await sql<{ position: ChangesPosition }>`select ${positionNow} as position`.execute(db)
      const [row] = rows
      if (!row) throw new Error('the store returned no row')
      return row.position
    },
  }
}
