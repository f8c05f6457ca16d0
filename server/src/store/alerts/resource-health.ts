import { type Selectable, sql } from 'kysely'
import type { Base } from '../core/base.ts'
import type { DeliveryAttempt, LanesTable } from '../core/tables.ts'

/** How deliveries to a resource went, and what waits for it. */
export type DeliveryFacts = {
  delivered: number
  failed: number
  failedAttempts: number
  /** How many deliveries wait, counted up to `queueMax`. */
  queue: number
  nextDueAt: Date | null
  notBefore: Date | null
  lastAttempt: DeliveryAttempt | null
}
export type TroubledResource = Pick<
  Selectable<LanesTable>,
  'failing_since' | 'last_error' | 'last_error_at' | 'last_success_at'
> & { fullname: string; blueprint: string; ready: boolean; title: string | null }

export type NotifiedResource = {
  id: string
  fullname: string
  workspace_id: string
  project_id: string | null
  project: string | null
  title: string | null
  /** Null if nobody is told. */
  notifierId: string | null
  /** Null if nobody was told of a failure, or if the alert expired. */
  toldAt: Date | null
}

/** A longer queue is not counted to its end. */
export const queueMax = 1_000

/** On a lane `l`: the last attempts failed. The handlers of resources show the same rule. */
const isFailing = sql<boolean>`(l.failing_since is not null
  or l.last_error_at > coalesce(l.last_success_at, '-infinity'))`

export function resourceHealthTable({ db }: Base) {
  return {
    /** By resource id. The counts are those of the hours from `since` on. */
    async findAll(ids: readonly string[], since: Date): Promise<Map<string, DeliveryFacts>> {
      if (ids.length === 0) return new Map()
      const { rows } = await sql<DeliveryFacts & { id: string }>`
        select i.id, c.delivered::int, c.failed::int, c."failedAttempts"::int, q.queue, q."nextDueAt",
          l.not_before as "notBefore", l.last_attempt as "lastAttempt"
        from unnest(${[...ids]}::text[]) as i (id) left join lanes l on l.resource_id = i.id
        cross join lateral (select coalesce(sum(delivered), 0) as delivered, coalesce(sum(failed), 0) as failed,
            coalesce(sum(failed_attempts), 0) as "failedAttempts"
          from hourly_counts h where h.owner_kind = 'resource' and h.owner_id = i.id and h.hour >= ${since}) c
        cross join lateral (select count(*)::int as queue, min(p.due_at) as "nextDueAt" from (
          select d.due_at from deliveries d where d.resource_id = i.id and d.status = 'pending'
            order by d.due_at limit ${sql.lit(queueMax)}) p) q`.execute(db)
      return new Map(rows.map(({ id, ...facts }) => [id, facts]))
    },
    /** These resources, with the one that is told of their failures and the time of the alert that told it. */
    async listNotified(ids: readonly string[]): Promise<NotifiedResource[]> {
      const { rows } = await sql<NotifiedResource>`
        select r.id, r.fullname, r.workspace_id, r.project_id, r.meta->>'title' as title, n.id as "notifierId",
          (select p.fullname from projects p where p.id = r.project_id) as project,
          (select a.created_at from alerts a where a.id = l.failure_alert_id) as "toldAt"
        from resources r join lanes l on l.resource_id = r.id
          left join resources n on n.id = r.notify_resource_id and n.workspace_id = r.workspace_id
        where r.id = any(${[...ids]})`.execute(db)
      return rows
    },
    /** The resources of a workspace that fail, or that failures switched off; the longest failing first, up to `limit`. */
    async listTroubled(workspaceId: string, limit: number): Promise<{ count: number; rows: TroubledResource[] }> {
      const { rows } = await sql<TroubledResource & { count: number }>`
        select r.fullname, r.blueprint, r.ready, r.meta->>'title' as title, l.failing_since, l.last_error, l.last_error_at,
          l.last_success_at, count(*) over ()::int as count
        from resources r join lanes l on l.resource_id = r.id where r.workspace_id = ${workspaceId} and ${isFailing}
        order by coalesce(l.failing_since, l.last_error_at), r.fullname limit ${limit}`.execute(db)
      return { count: rows[0]?.count ?? 0, rows: rows.map(({ count: _count, ...row }) => row) }
    },
  }
}
