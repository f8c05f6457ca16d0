import type { TriggerStatus } from '@tocsin/contract'
import { sql } from 'kysely'
import type { Base } from '../core/base.ts'

export type TroubledTrigger = { fullname: string; title: string; status: TriggerStatus }

/** Triggers that make no alerts although they should: broken, or blocked because they match far too often. */
export function troubledTriggersTable({ db }: Base) {
  return {
    /** By name; `count` is the number of all. */
    async list(workspaceId: string, max: number): Promise<{ count: number; rows: TroubledTrigger[] }> {
      const { rows } = await sql<TroubledTrigger & { count: string }>`
        select t.fullname, t.meta->>'title' as title, t.status, count(*) over () as count
        from triggers t join projects p on p.id = t.project_id
        where p.workspace_id = ${workspaceId} and t.status->>'status' in ('broken', 'blocked')
        order by t.fullname limit ${max}`.execute(db)
      return { count: Number(rows[0]?.count ?? 0), rows }
    },
  }
}
