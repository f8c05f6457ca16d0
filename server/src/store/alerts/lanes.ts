import { sql } from 'kysely'
import type { Base } from '../core/base.ts'

/** How a turn of sending went, as far as the lane remembers it. */
export type LaneNews = {
  /** Whether something arrived; undefined when nothing was tried that tells. */
  works?: boolean
  /** Why the last message did not arrive, where none arrived. */
  error?: string | undefined
  /** Nothing is sent before this. */
  notBefore?: Date
}

export type TakenLane = { resourceId: string; owner: string; before: string[] | null }

/** A lane without a sign of its holder for so long is anybody's. */
const leaseSeconds = 10
const lease = sql<Date>`now() + make_interval(secs => ${sql.lit(leaseSeconds)})`

/**
 * Who sends to a resource: one at a time, whatever the number of processes. Leases run by the database's clock. An owner
 * is the name of one turn and never used twice, so that whoever lost a lane cannot take himself for its new holder.
 */
export function lanesTable({ db }: Base) {
  return {
    /**
     * Those of the resources whose lane was free, or whose holder is gone; each with the owner of the new turn, and the
     * owners of turns that ended without a word.
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
    /** Answers the owners that still hold theirs. */
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
    /** Undefined when the lane is another's by now: what was done for it must not be kept. */
    async keep(
      resourceId: string,
      owner: string,
      news: LaneNews,
      at: Date,
    ): Promise<{ failingSince: Date | null } | undefined> {
      const row = await db
        .updateTable('lanes')
        .set({ lease_until: lease })
        .$if(news.works === true, (query) => query.set({ failing_since: null, last_success_at: at }))
        .$if(news.works === false, (query) =>
          query.set({ failing_since: sql<Date>`coalesce(failing_since, ${at}::timestamptz)` }),
        )
        .$if(news.error !== undefined, (query) => query.set({ last_error: news.error ?? null, last_error_at: at }))
        .$if(news.notBefore !== undefined, (query) => query.set({ not_before: news.notBefore ?? null }))
        .where('resource_id', '=', resourceId)
        .where('owner', '=', owner)
        .returning('failing_since')
        .executeTakeFirst()
      return row && { failingSince: row.failing_since }
    },
    /** Holds the row until the transaction ends: whoever wakes the lane now waits, and finds it free or at work. */
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
    async free(resourceId: string, owner: string): Promise<void> {
      await sql`with forgotten as (delete from taken_deliveries where owner = ${owner})
        update lanes set owner = null, lease_until = null
        where resource_id = ${resourceId} and owner = ${owner}`.execute(db)
    },
    /** What these turns had taken when they ended; nobody is told twice. */
    async inherit(owners: readonly string[]): Promise<string[]> {
      const rows = await db
        .deleteFrom('taken_deliveries')
        .where('owner', '=', sql<string>`any(${owners})`)
        .returning('ids')
        .execute()
      return rows.flatMap(({ ids }) => ids)
    },
    /** A resource that somebody looked at again starts without its past. */
    async forget(resourceId: string): Promise<void> {
      await db
        .updateTable('lanes')
        .set({ failing_since: null, last_error: null, last_error_at: null, last_success_at: null, not_before: null })
        .where('resource_id', '=', resourceId)
        .execute()
    },
  }
}
