import type { Level } from '@tocsin/contract'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { ResourcesTable, Tables } from '../core/tables.ts'

/** `data` and `token` stay sealed in a row. The private data of the destination is not read. */
export type ResourceRow = Omit<
  Selectable<ResourcesTable>,
  'private' | 'destination_key' | 'token_hash' | 'notify_resource_id'
> & {
  workspace: string
  project: string | null
  /** The name of the resource that is told of failures. */
  notify_on_failure: string | null
  failing_since: Date | null
  last_error: string | null
  last_error_at: Date | null
  last_success_at: Date | null
}
/** A resource as a member of its workspace sees it. */
export type MemberResourceRow = ResourceRow & { level: Level }
export type ResourceData = Record<string, unknown>

const columns = [
  'r.id',
  'r.workspace_id',
  'r.project_id',
  'r.name',
  'r.fullname',
  'r.blueprint',
  'r.ready',
  'r.remark',
  'r.confirmed_at',
  'r.data',
  'r.token',
  'r.summary',
  'r.tags',
  'r.labels',
  'r.meta',
  'r.version',
  'r.created_at',
  'r.updated_at',
  'w.fullname as workspace',
  'l.failing_since',
  'l.last_error',
  'l.last_error_at',
  'l.last_success_at',
] as const

/** Resources with the names of their workspace and project, and the health of their lane. */
export function selectResources(db: Kysely<Tables>) {
  return (
    db
      .selectFrom('resources as r')
      .innerJoin('workspaces as w', 'w.id', 'r.workspace_id')
      .leftJoin('lanes as l', 'l.resource_id', 'r.id')
      .select(columns)
      // Not a join, because PostgreSQL might then read all projects in the order of their ids.
      .select(sql<string | null>`(select p.fullname from projects p where p.id = r.project_id)`.as('project'))
      .select(
        sql<string | null>`(select n.fullname from resources n
          where n.id = r.notify_resource_id and n.workspace_id = r.workspace_id)`.as('notify_on_failure'),
      )
  )
}

/** The resources of the workspaces that the account is a member of. */
export function selectForMember(db: Kysely<Tables>, accountId: string) {
  return selectResources(db)
    .innerJoin('members as m', 'm.workspace_id', 'r.workspace_id')
    .select('m.level')
    .where('m.account_id', '=', accountId)
}
