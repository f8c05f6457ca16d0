import { sql } from 'kysely'
import type { Base } from '../core/base.ts'

/** The result of a turn of sending, as far as the lane stores it. */
export type TurnResult = {
  /** Whether a delivery succeeded; undefined when no attempt shows it. */
  works?: boolean
  /** The last error, when no delivery succeeded. */
  error?: string | undefined
  /** The lane sends nothing before this time. */
  notBefore?: Date
}

export type TakenLane = { resourceId: string; owner: string; before: string[] | null }

/** Another process may take a lane that its owner has not renewed for this time. */
const leaseSeconds = 10
const lease = sql<Date>`now() + make_interval(secs => ${sql.lit(leaseSeconds)})`

/**
 * A lane lets one process at a time send to a resource. Leases use the database's clock. An owner is the id of one turn
 * and is never reused, so a process that lost a lane cannot mistake itself for the new owner.
 */
export function lanesTable({ db }: Base) {
  return {
    /**
     * Takes the lanes that are free or whose lease expired. Returns each with its new owner, and with the earlier owners whose
     * taken deliveries have no recorded result.
     */
    async take(wanted: readonly { resourceId: string; owner: string }[], now: Date): Promise<TakenLane[]> {
      if (wanted.length === 0) return []
      const { rows } = await sql<TakenLane>`
        insert into lanes as l (resource_id, owner, lease_until)
        select r.id, w.owner, ${lease} from json_to_recordset(${JSON.stringify(wanted)}) as w ("resourceId" text, owner text)
          join resources r on r.id = w."resourceId" order by r.id
        on conflict (resource_id) do update set owner = excluded.owner, lease_until = excluded.lease_until
          where (l.owner is null or l.lease_until < now()) and (l.not_before is null or l.not_before <= ${now})
        returning resource_id as "resourceId", owner,
          (select json_agg(t.owner) from taken_deliveries t where t.resource_id = l.resource_id) as before`.execute(db)
      return rows
    },
    /** Returns the owners that still hold their lanes. */
    async renew(owners: readonly string[]): Promise<string[]> {
      if (owners.length === 0) return []
      const rows = await db
        .updateTable('lanes')
        .set({ lease_until: lease })
        .where('owner', '=', sql<string>`any(${owners})`)
        .returning('owner')
        .execute()
      return rows.flatMap((row) => row.owner ?? [])
    },
    /** Renews the lease and stores the result. Undefined when the lane has another owner: the caller must roll back. */
    async recordTurn(
      resourceId: string,
      owner: string,
      result: TurnResult,
      at: Date,
    ): Promise<{ failingSince: Date | null } | undefined> {
      const row = await db
        .updateTable('lanes')
        .set({ lease_until: lease })
        .$if(result.works === true, (query) => query.set({ failing_since: null, last_success_at: at }))
        .$if(result.works === false, (query) =>
          query.set({ failing_since: sql<Date>`coalesce(failing_since, ${at}::timestamptz)` }),
        )
        .$if(result.error !== undefined, (query) => query.set({ last_error: result.error ?? null, last_error_at: at }))
        .$if(result.notBefore !== undefined, (query) => query.set({ not_before: result.notBefore ?? null }))
        .where('resource_id', '=', resourceId)
        .where('owner', '=', owner)
        .returning('failing_since')
        .executeTakeFirst()
      return row && { failingSince: row.failing_since }
    },
    /** Locks the row until the transaction ends. A process that wakes the lane waits, and then sees it free or taken. */
    async lock(resourceId: string, owner: string): Promise<{ notBefore: Date | null } | undefined> {
      const row = await db
        .selectFrom('lanes')
        .select('not_before')
        .where('resource_id', '=', resourceId)
        .where('owner', '=', owner)
        .forUpdate()
        .executeTakeFirst()
      return row && { notBefore: row.not_before }
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
        .set({ failing_since: null, last_error: null, last_error_at: null, last_success_at: null, not_before: null })
        .where('resource_id', '=', resourceId)
        .execute()
    },
  }
}
