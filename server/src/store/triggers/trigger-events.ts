import type { TriggerStatus } from '@tocsin/contract'
import { sql } from 'kysely'
import type { Base } from '../core/base.ts'

/** A change of status, with the ids that decide who may see it. */
export type TriggerEventRow = {
  id: string
  triggerId: string
  fullname: string
  workspaceId: string
  isPublic: boolean
  dataSource: string | null
  before: TriggerStatus
  after: TriggerStatus
  at: Date
}

/** Status changes that are not published yet. The database writes them in the transaction of the change. */
export function triggerEventsTable({ db }: Base) {
  return {
    async list(limit: number): Promise<TriggerEventRow[]> {
      const { rows } = await sql<TriggerEventRow>`
        select e.id::text, e.trigger_id as "triggerId", t.fullname, p.workspace_id as "workspaceId",
          p.access_level <> 'private' as "isPublic", t.data_source as "dataSource", e.before, e.after, e.at
        from trigger_events e join triggers t on t.id = e.trigger_id join projects p on p.id = t.project_id
        order by e.id limit ${limit}`.execute(db)
      return rows
    },
    /** Takes the events that no other process has taken. The caller's commit removes them. */
    async take(ids: readonly string[]): Promise<Set<string>> {
      const { rows } = await sql<{ id: string }>`
        delete from trigger_events where id in (
          select id from trigger_events where id = any(${ids}::bigint[]) for update skip locked)
        returning id::text`.execute(db)
      return new Set(rows.map(({ id }) => id))
    },
  }
}
