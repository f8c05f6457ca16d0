import { sql } from 'kysely'
import type { Base } from '../core/base.ts'
import type { LastRun } from '../core/tables.ts'
import type { RunCounts } from './run-changes.ts'

export type HourlyRuns = RunCounts & { hour: Date; last: LastRun[] }

/** How many hours one statement deletes. */
const dropRows = 1_000

/** Runs of triggers by hour. `hourlyCounts` adds to them: commits write both kinds of changes in one row. */
export function hourlyRunsTable({ db }: Base) {
  return {
    /** Oldest first. Hours without runs are left out. */
    async list(triggerId: string, from: Date): Promise<HourlyRuns[]> {
      const rows = await db
        .selectFrom('hourly_runs')
        .selectAll()
        .where('trigger_id', '=', triggerId)
        .where('hour', '>=', from)
        .orderBy('hour')
        .execute()
      return rows.map(({ hour, runs, fired, failed, duration_ms, slowest_ms, provider_calls, last }) => ({
        hour,
        runs: Number(runs),
        fired: Number(fired),
        failed: Number(failed),
        durationMs: duration_ms,
        slowestMs: slowest_ms,
        providerCalls: Number(provider_calls),
        last,
      }))
    },
    /** Deletes the oldest hours from before this time, and returns how many. */
    async drop(before: Date): Promise<number> {
      const { numAffectedRows } = await sql`
        delete from hourly_runs where (trigger_id, hour) in (select trigger_id, hour from hourly_runs
          where hour < ${before} order by hour limit ${sql.lit(dropRows)} for update skip locked)`.execute(db)
      return Number(numAffectedRows ?? 0n)
    },
  }
}
