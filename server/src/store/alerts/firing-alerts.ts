import type { Severity } from '@tocsin/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Base } from '../core/base.ts'

export type FiringAlert = { id: string; trigger: string; title: string | null; severity: Severity; created_at: Date }
export type FiringAlerts = { count: number; rows: FiringAlert[] }

/** How many of the newest alerts that fired are looked at, resolved or not. */
const newestMax = 10_000

export function firingAlertsTable({ db }: Base) {
  return {
    /**
     * The alerts of a workspace that fire and are not resolved, newest first, up to `limit`. With an account only its own
     * alerts. The alerts of deleted subscriptions never resolve and are left out.
     */
    async list(workspaceId: string, accountId: string | undefined, limit: number): Promise<FiringAlerts> {
      const isOwn = accountId === undefined ? sql`` : sql`and a.account_id = ${accountId}`
      const newest = await listOpen(db, newestOf(workspaceId), isOwn, limit)
      const lastSeq = await seqOfLast(db, workspaceId)
      if (lastSeq === undefined) return newest
      const older = await listOpen(db, olderOf(workspaceId, lastSeq), isOwn, limit)
      return { count: newest.count + older.count, rows: [...newest.rows, ...older.rows].slice(0, limit) }
    },
  }
}

function newestOf(workspaceId: string): RawBuilder<unknown> {
  return sql`select * from alerts f where f.workspace_id = ${workspaceId} and f.state = 'firing'
    order by f.seq desc limit ${sql.lit(newestMax)}`
}

/** The last of the newest alerts; undefined if there are fewer. */
async function seqOfLast(db: Base['db'], workspaceId: string): Promise<string | undefined> {
  const { rows } = await sql<{ seq: string }>`
    select f.seq::text as seq from alerts f where f.workspace_id = ${workspaceId} and f.state = 'firing'
    order by f.seq desc offset ${sql.lit(newestMax - 1)} limit 1`.execute(db)
  return rows[0]?.seq
}

/**
 * The alerts that fire since before the newest ones, by the states of their policies. That looks at each key of each policy.
 * The states alone would not do for newer alerts: after a reorg a state is corrected with the next output.
 */
function olderOf(workspaceId: string, lastSeq: string): RawBuilder<unknown> {
  return sql`select * from alerts f where f.workspace_id = ${workspaceId} and f.state = 'firing' and f.seq < ${lastSeq}
    and f.id = any(array(select p.state->'state'->'now'->>'id' from subscriptions s
      join policy_states p on p.subscription_id = s.id
      where s.workspace_id = ${workspaceId} and p.state->>'kind' = 'key'
        and p.state->'state'->'now'->>'phase' = 'firing'))`
}

async function listOpen(
  db: Base['db'],
  fired: RawBuilder<unknown>,
  isOwn: RawBuilder<unknown>,
  limit: number,
): Promise<FiringAlerts> {
  const { rows } = await sql<FiringAlert & { count: number }>`
    select a.id, a.trigger, a.message->>'title' as title, a.severity, a.created_at, count(*) over ()::int as count
    from (${fired}) a where a.status <> 'retracted' and a.subscription_id is not null ${isOwn}
      and not exists (select from alerts r where r.resolves = a.id and r.status <> 'retracted')
    order by a.seq desc limit ${limit}`.execute(db)
  return { count: rows[0]?.count ?? 0, rows: rows.map(({ count: _count, ...row }) => row) }
}
