import type { HealthItem } from '@tocsin/contract'
import { sql } from 'kysely'
import { type Base, json } from '../core/base.ts'

export type HealthEventRow = { id: string; item: HealthItem }

/** Changes of sources and destinations that are not published yet. The transaction of the change adds its event. */
export function healthEventsTable({ db }: Base) {
  return {
    async add(items: readonly HealthItem[]): Promise<void> {
      if (items.length === 0) return
      const rows = items.map((item) => ({ item: json(item) }))
      await db.insertInto('health_events').values(rows).execute()
    },
    async list(limit: number): Promise<HealthEventRow[]> {
      const { rows } = await sql<HealthEventRow>`
        select id::text, item from health_events order by id limit ${limit}`.execute(db)
      return rows
    },
    /** Takes the events that no other process has taken. The caller's commit removes them. */
    async take(ids: readonly string[]): Promise<Set<string>> {
      const { rows } = await sql<{ id: string }>`
        delete from health_events where id in (
          select id from health_events where id = any(${ids}::bigint[]) for update skip locked)
        returning id::text`.execute(db)
      return new Set(rows.map(({ id }) => id))
    },
  }
}
