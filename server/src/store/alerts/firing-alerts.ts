import type { Severity } from '@tocsin/contract'
import { sql } from 'kysely'
import type { Base } from '../core/base.ts'

export type FiringAlert = { id: string; trigger: string; title: string | null; severity: Severity; created_at: Date }
export type FiringAlerts = { count: number; rows: FiringAlert[] }

/** How many of the newest alerts that fired are looked at, resolved or not. One that fires since before them is not found. */
const lookedAtMax = 10_000

export function firingAlertsTable({ db }: Base) {
  return {
    /**
     * The alerts of a workspace that fire and are not resolved, newest first, up to `limit`. With an account only its own
     * alerts. The alerts of deleted subscriptions never resolve and are left out.
     */
    async list(workspaceId: string, accountId: string | undefined, limit: number): Promise<FiringAlerts> {
      const isOwn = accountId === undefined ? sql`` : sql`and a.account_id = ${accountId}`
      const { rows } = await sql<FiringAlert & { count: number }>`
        select a.id, a.trigger, a.message->>'title' as title, a.severity, a.created_at, count(*) over ()::int as count
        from (select * from alerts f where f.workspace_id = ${workspaceId} and f.state = 'firing'
          order by f.seq desc limit ${sql.lit(lookedAtMax)}) a
        where a.status <> 'retracted' and a.subscription_id is not null ${isOwn}
          and not exists (select from alerts r where r.resolves = a.id and r.status <> 'retracted')
        order by a.seq desc limit ${limit}`.execute(db)
      return { count: rows[0]?.count ?? 0, rows: rows.map(({ count: _count, ...row }) => row) }
    },
  }
}
