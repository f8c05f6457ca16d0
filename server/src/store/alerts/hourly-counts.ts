import { sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import { storableJson } from '../core/storable.ts'
import type { CountChanges, CountOwner, Counts } from './count-changes.ts'
import type { RunChanges } from './run-changes.ts'

export type HourlyCounts = Counts & { hour: Date }

export const hourMs = 3_600_000

/** How many changes one statement adds to the counts. */
const rollUpRows = 1_000
/** A JSON path of the runs that an hour keeps: the newest ten. */
const lastRuns = sql.lit('$[0 to 9]')
/** How many counts one statement deletes. */
const dropRows = 1_000

export function startOfHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / hourMs) * hourMs)
}

/**
 * Counts of alerts, deliveries and runs by hour. A commit that records any of them adds one row of changes, so it waits for
 * no other commit; a loop adds the changes to the counts every few seconds. Readers see the counts without those changes.
 */
export function hourlyCountsTable({ db }: Base) {
  return {
    async addChanges(changes: CountChanges, at: Date, runChanges?: RunChanges): Promise<void> {
      const [list, runs] = [changes.list(), runChanges?.list() ?? []]
      if (list.length === 0 && runs.length === 0) return
      // An error of a script may hold any character. One that PostgreSQL cannot store would stop the roll-up of all counts.
      const runsOrNull = runs.length === 0 ? null : storableJson(runs)
      await sql`insert into count_changes (hour, changes, runs)
        values (${startOfHour(at)}, ${json(list)}::json, ${runsOrNull}::json)`.execute(db)
    },
    /**
     * Adds stored changes to the counts, and returns how many. Several processes may do it at the same time:
     * each takes other rows, and all write the counts in the same order, so two cannot deadlock.
     */
    async rollUp(): Promise<{ count: number; mayBeMore: boolean }> {
      const { rows } = await sql<{ count: number }>`
        with taken as (delete from count_changes where id = any(array(
          select id from count_changes order by id limit ${sql.lit(rollUpRows)} for update skip locked)) returning hour, changes, runs),
        added as (insert into hourly_counts as h (owner_kind, owner_id, hour, recorded, delivered, failed, failed_attempts)
          select c.kind, c.id, t.hour, sum(coalesce(c.recorded, 0)), sum(coalesce(c.delivered, 0)),
            sum(coalesce(c.failed, 0)), sum(coalesce(c."failedAttempts", 0))
          from taken t cross join lateral json_to_recordset(t.changes) as c (kind text, id text, recorded integer,
            delivered integer, failed integer, "failedAttempts" integer)
          group by 1, 2, 3 order by 1, 2, 3
          on conflict (owner_kind, owner_id, hour) do update set recorded = h.recorded + excluded.recorded,
            delivered = h.delivered + excluded.delivered, failed = h.failed + excluded.failed,
            failed_attempts = h.failed_attempts + excluded.failed_attempts),
        ran as (insert into hourly_runs as h (trigger_id, hour, runs, fired, failed, duration_ms, slowest_ms, provider_calls, last)
          select c.id, t.hour, sum(c.runs), sum(c.fired), sum(c.failed), sum(c."durationMs"), max(c."slowestMs"),
            sum(c."providerCalls"), jsonb_path_query_array(jsonb_agg(c.last order by c.last->>'at' desc), ${lastRuns})
          from taken t cross join lateral json_to_recordset(t.runs) as c (id text, runs integer, fired integer,
            failed integer, "durationMs" double precision, "slowestMs" double precision, "providerCalls" integer, last jsonb)
          group by 1, 2 order by 1, 2
          on conflict (trigger_id, hour) do update set runs = h.runs + excluded.runs, fired = h.fired + excluded.fired,
            failed = h.failed + excluded.failed, duration_ms = h.duration_ms + excluded.duration_ms,
            slowest_ms = greatest(h.slowest_ms, excluded.slowest_ms),
            provider_calls = h.provider_calls + excluded.provider_calls,
            last = (select jsonb_path_query_array(jsonb_agg(run order by run->>'at' desc), ${lastRuns})
              from jsonb_array_elements(excluded.last || h.last) as run))
        select count(*)::int as count from taken`.execute(db)
      const count = rows[0]?.count ?? 0
      return { count, mayBeMore: count === rollUpRows }
    },
    /** Oldest first. Hours without anything are left out. */
    async list(kind: CountOwner, id: string, from: Date): Promise<HourlyCounts[]> {
      const rows = await db
        .selectFrom('hourly_counts')
        .select(['hour', 'recorded', 'delivered', 'failed', 'failed_attempts'])
        .where('owner_kind', '=', kind)
        .where('owner_id', '=', id)
        .where('hour', '>=', from)
        .orderBy('hour')
        .execute()
      return rows.map(({ hour, recorded, delivered, failed, failed_attempts }) => ({
        hour,
        recorded: Number(recorded),
        delivered: Number(delivered),
        failed: Number(failed),
        failedAttempts: Number(failed_attempts),
      }))
    },
    /** Deletes the oldest counts from before this time, and returns how many. */
    async drop(before: Date): Promise<number> {
      const { numAffectedRows } = await sql`
        delete from hourly_counts where (owner_kind, owner_id, hour) in (select owner_kind, owner_id, hour
          from hourly_counts where hour < ${before} order by hour limit ${sql.lit(dropRows)} for update skip locked)`.execute(
        db,
      )
      return Number(numAffectedRows ?? 0n)
    },
  }
}
