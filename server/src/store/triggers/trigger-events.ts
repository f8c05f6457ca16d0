import type { TriggerStatus } from '@tocsin/contract'
import { sql } from 'kysely'
import type { Base } from '../core/base.ts'

/** A change of status, with what says who may hear of it. */
export type TriggerEventRow = {
  id: string
  triggerId: string
  fullname: string
  workspaceId: string
  isPublic: boolean
  before: TriggerStatus
  after: TriggerStatus
  at: Date
}

/** Changes of status that are yet to be told. The database writes them in the transaction of the change itself. */
export function triggerEventsTable({ db }: Base) {
  return {
    async list(limit: number): Promise<TriggerEventRow[]> {
      const { rows } = await sql<TriggerEventRow>`
        select e.id::text, e.trigger_id as "triggerId", t.fullname, p.workspace_id as "workspaceId",
          p.access_level <> 'private' as "isPublic", e.before, e.after, e.at
        from trigger_events e join triggers t on t.id = e.trigger_id join projects p on p.id = t.project_id
        order by e.id limit ${limit}`.execute(db)
      return rows
    },
    /** Those of them that nobody else has taken; they are gone with the commit of whoever takes them. */
    async take(ids: readonly string[]): Promise<Set<string>> {
      const { rows } = await sql<{ id: string }>`
        delete from trigger_events where id in (
          select id from trigger_events where id = any(${ids}::bigint[]) for update skip locked)
        returning id::text`.execute(db)
      return new Set(rows.map(({ id }) => id))
    },
  }
}
