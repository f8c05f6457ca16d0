import { sql } from 'kysely'
import type { Base } from '../core/base.ts'
import { storableJson } from '../core/storable.ts'
import type { DeliveryAttempt } from '../core/tables.ts'

export type HeldLane = { resourceId: string; owner: string }
/** The result of a turn of sending, as far as the lane stores it. */
export type TurnResult = HeldLane & {
  /** Whether a delivery succeeded; undefined when no attempt shows it. */
  works?: boolean
  /** The last error, when no delivery succeeded. */
  error?: string | undefined
  /** The last attempt of the turn. */
  lastAttempt?: DeliveryAttempt | undefined
  /** The lane sends nothing before this time. */
  notBefore?: Date
  /** The turn has nothing more to send: the lane is released unless something became due. */
  mayRelease: boolean
}
export type LockedLane = {
  failingSince: Date | null
  /** The alert that reported the failure; null if deliveries work, or if nobody was told. */
  failureAlertId: string | null
  /** The workspace's health was told that deliveries fail. */
  isToldFailing: boolean
}

/** `before` are the earlier owners whose taken deliveries have no recorded result. */
export type TakenLane = HeldLane & { before: string[] | null }

/** Another process may take a lane that its owner has not renewed for this time. */
const leaseSeconds = 10
const lease = sql<Date>`now() + make_interval(secs => ${sql.lit(leaseSeconds)})`

/** The lanes that these turns hold. */
function held(turns: readonly HeldLane[]) {
  const resourceIds = turns.map(({ resourceId }) => resourceId)
  const owners = turns.map(({ owner }) => owner)
  return sql`unnest(${resourceIds}::text[], ${owners}::text[]) as t (resource_id, owner)
    join lanes l on l.resource_id = t.resource_id and l.owner = t.owner`
}

/**
 * A lane lets one process at a time send to a resource. Leases use the database's clock. An owner is the id of one turn
 * and is never reused, so a process that lost a lane cannot mistake itself for the new owner.
 */
export function lanesTable({ db }: Base) {
  return {
    /**
     * Takes the lanes that are free or whose lease expired. Returns each with its new owner. The commit does not wait for the disk: taking deliveries does, before
     * anything is sent, and PostgreSQL writes commits to the disk in their order.
     */
    async take(wanted: readonly HeldLane[], now: Date): Promise<TakenLane[]> {
      if (wanted.length === 0) return []
      const { rows } = await sql<TakenLane>`
        insert into lanes as l (resource_id, owner, lease_until)
        select r.id, w.owner, ${lease} from (select set_config('synchronous_commit', 'off', true)) as commit_soon
          cross join json_to_recordset(${JSON.stringify(wanted)}) as w ("resourceId" text, owner text)
          join resources r on r.id = w."resourceId" order by r.id
        on conflict (resource_id) do update set owner = excluded.owner, lease_until = excluded.lease_until
          where (l.owner is null or l.lease_until < now()) and (l.not_before is null or l.not_before <= ${now})
        returning resource_id as "resourceId", owner,
          (select json_agg(owner) from taken_deliveries where resource_id = l.resource_id) as before`.execute(db)
      return rows
    },
    /** Returns the owners that still hold their lanes. */
    async renew(turns: readonly HeldLane[]): Promise<string[]> {
      if (turns.length === 0) return []
      const { rows } = await sql<{ owner: string }>`
        update lanes l set lease_until = ${lease} from (select l.resource_id from ${held(turns)}
          order by l.resource_id for update of l) locked
        where l.resource_id = locked.resource_id returning l.owner`.execute(db)
      return rows.map((row) => row.owner)
    },
    /**
     * Locks the lanes that still have these owners until the transaction ends, and returns them by resource. A process that
     * wakes a lane waits, and then sees it free or taken. All callers lock in the order of the ids, so two cannot deadlock.
     */
    async lock(turns: readonly HeldLane[]): Promise<Map<string, LockedLane>> {
      const { rows } = await sql<LockedLane & { resourceId: string }>`
        select l.resource_id as "resourceId", l.failing_since as "failingSince",
          l.failure_alert_id as "failureAlertId", l.is_told_failing as "isToldFailing" from ${held(turns)}
        order by l.resource_id for update of l`.execute(db)
      return new Map(rows.map(({ resourceId, ...lane }) => [resourceId, lane]))
    },
    /**
     * Stores the results of turns whose lanes the caller has locked. It renews their leases or, where `mayRelease` is true
     * and nothing is due, releases the lanes. Returns the resources of the released lanes. The search for a due delivery
     * has a limit, so that PostgreSQL asks the index lane by lane instead of reading all deliveries.
     */
    async recordTurns(results: readonly TurnResult[], now: Date): Promise<Set<string>> {
      if (results.length === 0) return new Set()
      const { rows } = await sql<{ resource_id: string; owner: string | null }>`
        with results as materialized (select r.*, r."mayRelease" and (coalesce(r."notBefore", l.not_before, '-infinity') > ${now} or (
            select d.id from deliveries d where d.resource_id = l.resource_id and d.status = 'pending' and d.due_at <= ${now}
            limit 1) is null) as released
          from json_to_recordset(${storableJson(results)}) as r ("resourceId" text, owner text, works boolean, error text,
            "notBefore" timestamptz, "mayRelease" boolean, "lastAttempt" json)
          join lanes l on l.resource_id = r."resourceId" and l.owner = r.owner),
        removed as (delete from taken_deliveries t using results r where r.released and t.owner = r.owner)
        update lanes l set owner = case when not r.released then l.owner end,
          lease_until = case when not r.released then ${lease} end,
          failing_since = case when r.works is null then l.failing_since
            when not r.works then coalesce(l.failing_since, ${now}::timestamptz) end,
          last_success_at = case when r.works then ${now}::timestamptz else l.last_success_at end,
          last_error = coalesce(r.error, l.last_error),
          last_error_at = case when r.error is null then l.last_error_at else ${now}::timestamptz end,
          not_before = coalesce(r."notBefore", l.not_before), last_attempt = coalesce(r."lastAttempt", l.last_attempt)
        from results r where l.resource_id = r."resourceId" and l.owner = r.owner
        returning l.resource_id, l.owner`.execute(db)
      return new Set(rows.flatMap((row) => (row.owner === null ? row.resource_id : [])))
    },
    /** Stores which alert reported the failure of each resource; null after a report that it works again. */
    async setFailureAlerts(alerts: ReadonlyMap<string, string | null>): Promise<void> {
      await sql`update lanes l set failure_alert_id = t.alert_id
        from unnest(${[...alerts.keys()]}::text[], ${[...alerts.values()]}::text[]) as t (resource_id, alert_id)
        where l.resource_id = t.resource_id`.execute(db)
    },
    /** Stores whether the workspace's health was told that deliveries fail. */
    async setToldFailing(told: ReadonlyMap<string, boolean>): Promise<void> {
      await sql`update lanes l set is_told_failing = t.is_told
        from unnest(${[...told.keys()]}::text[], ${[...told.values()]}::boolean[]) as t (resource_id, is_told)
        where l.resource_id = t.resource_id`.execute(db)
    },
    async release(resourceId: string, owner: string): Promise<void> {
      await sql`with removed as (delete from taken_deliveries where owner = ${owner})
        update lanes set owner = null, lease_until = null
        where resource_id = ${resourceId} and owner = ${owner}`.execute(db)
    },
    /** Removes and returns the deliveries that these owners had taken, so that only one process recovers them. */
    async recoverTaken(owners: readonly string[]): Promise<string[]> {
      const rows = await db
        .deleteFrom('taken_deliveries')
        .where('owner', '=', sql<string>`any(${owners})`)
        .returning('ids')
        .execute()
      return rows.flatMap(({ ids }) => ids)
    },
    /** Clears the error history after somebody changed the resource. */
    async clearHistory(resourceId: string): Promise<void> {
      await db
        .updateTable('lanes')
        .set({ failing_since: null, last_error: null, last_error_at: null, last_success_at: null })
        .set({ not_before: null, last_attempt: null })
        .where('resource_id', '=', resourceId)
        .execute()
    },
  }
}
