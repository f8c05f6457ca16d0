import { sql } from 'kysely'
import type { Base } from '../core/base.ts'
import type { SourceStatus } from '../core/tables.ts'

export type TroubledSource = { fullname: string; title: string | null; status: SourceStatus }

/** Sources that are lagging or in error. */
export function troubledSourcesTable({ db }: Base) {
  return {
    /**
     * The troubled sources of a workspace and those that its triggers use, by name. The status of a custom source is in its row,
     * that of a built-in network in the row of its follower. Others' private sources are left out.
     */
    async list(workspaceId: string): Promise<TroubledSource[]> {
      const { rows } = await sql<TroubledSource>`
        with own as (select t.id, t.data_source from triggers t join projects p on p.id = t.project_id
          where p.workspace_id = ${workspaceId}),
        used as (select data_source as source from own where data_source is not null
          union select b.source from trigger_bindings b join own on own.id = b.trigger_id)
        select s.fullname, s.meta->>'title' as title, s.status from custom_sources s
        where (s.workspace_id = ${workspaceId} or (s.public and s.fullname in (select source from used)))
          and s.status->>'status' in ('error', 'lagging')
        union all
        select f.source, null, f.state->'status' from followers f
        where f.source in (select source from used) and f.state->'status'->>'status' in ('error', 'lagging')
          and not exists (select from custom_sources s where s.fullname = f.source)
        order by 1`.execute(db)
      return rows
    },
  }
}
