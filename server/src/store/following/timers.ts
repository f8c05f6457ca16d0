import { sql } from 'kysely'
import { type Base, json } from '../core/base.ts'

export type Tick = { triggerId: string; tickedAt: Date }

export function timersTable({ db }: Base) {
  return {
    async list(): Promise<Map<string, Date>> {
      const rows = await db.selectFrom('timers').selectAll().execute()
      return new Map(rows.map(({ trigger_id, ticked_at }) => [trigger_id, ticked_at]))
    },
    /** Skips triggers that were deleted meanwhile. */
    async set(ticks: readonly Tick[]): Promise<void> {
      if (ticks.length === 0) return
      await sql`
        insert into timers (trigger_id, ticked_at)
        select x."triggerId", x."tickedAt" from json_to_recordset(${json(ticks)}::json)
          as x ("triggerId" text, "tickedAt" timestamptz) join triggers t on t.id = x."triggerId"
        on conflict (trigger_id) do update set ticked_at = excluded.ticked_at`.execute(db)
    },
    async remove(triggerIds: readonly string[]): Promise<void> {
      if (triggerIds.length === 0) return
      await db.deleteFrom('timers').where('trigger_id', '=', sql<string>`any(${triggerIds})`).execute()
    },
  }
}
