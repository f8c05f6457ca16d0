import type { Level } from '@tocsin/contract'
import { type Kysely, type Selectable, sql } from 'kysely'
import { type Base, json, newId, type PageQuery, pageOf } from '../core/base.ts'
import { precompiled } from '../core/statements.ts'
import type { ProjectMeta, ProjectsTable, Tables } from '../core/tables.ts'
import { anyOfFirstProjects } from './first-readable.ts'

export type ProjectRow = Selectable<ProjectsTable>
/** A project as one account sees it: its workspace, the account's level there and its contents. */
export type ReadableProject = ProjectRow & {
  workspace: string
  workspace_title: string | null
  level: Level | null
  triggers_count: number
  templates_count: number
}
export type ProjectFields = {
  access_level: ProjectRow['access_level']
  visibility: ProjectRow['visibility']
  tags: string[]
  labels: Record<string, string>
  meta: ProjectMeta
}
export type ProjectFilter = { workspace?: string | undefined; scope: 'all' | 'marketplace' | 'backend' }

export function projectsTable(base: Base) {
  const { db } = base
  return {
    /** Undefined when the project does not exist or the account may not see it; callers cannot tell which. */
    async findReadable(by: { fullname: string } | { id: string }, accountId: string) {
      const [row] =
        'id' in by ? await readableById(base, accountId, by.id) : await readableByName(base, accountId, by.fullname)
      return row
    },
    async listReadable(accountId: string, filter: ProjectFilter, page: PageQuery) {
      const rows = await readable(db, accountId)
        .where('p.id', '=', anyOfFirstProjects(accountId, { ...page, workspace: filter.workspace }, filter.scope))
        .orderBy('p.fullname')
        .execute()
      return pageOf<ReadableProject>(rows, page.limit, (row) => row.fullname)
    },
    find(fullname: string): Promise<ProjectRow | undefined> {
      return db.selectFrom('projects').selectAll().where('fullname', '=', fullname).executeTakeFirst()
    },
    /** Locks the row until the transaction ends, against concurrent saves, transfers and deletion. */
    lock(id: string): Promise<ProjectRow | undefined> {
      return db.selectFrom('projects').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    },
    /** Adds nothing when the name is taken. */
    add(
      project: ProjectFields & { workspaceId: string; name: string; fullname: string },
      at: Date,
    ): Promise<ProjectRow | undefined> {
      return db
        .insertInto('projects')
        .values({
          id: newId(),
          workspace_id: project.workspaceId,
          name: project.name,
          fullname: project.fullname,
          ...columnsOf(project),
          created_at: at,
          updated_at: at,
        })
        .onConflict((conflict) => conflict.column('fullname').doNothing())
        .returningAll()
        .executeTakeFirst()
    },
    update(id: string, fields: ProjectFields, at: Date): Promise<ProjectRow> {
      return db
        .updateTable('projects')
        .set({ ...columnsOf(fields), version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
    },
    /** Removes the project with everything in it, and the aliases that point to any of it. */
    async remove(id: string): Promise<void> {
      await sql`
        delete from aliases where target_id = ${id}
          or target_id in (select id from triggers where project_id = ${id})
          or target_id in (select id from resources where project_id = ${id})`.execute(db)
      await db.deleteFrom('projects').where('id', '=', id).execute()
    },
    /** Locks until the transaction ends, so that no other request counts this account's private projects to add one. */
    async lockPrivateCount(accountId: string): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`private projects of ${accountId}`}, 0))`.execute(db)
    },
    /** Counts the private projects in the workspaces where the account may create projects. */
    async countPrivate(accountId: string): Promise<number> {
      const row = await db
        .selectFrom('projects as p')
        .innerJoin('members as m', 'm.workspace_id', 'p.workspace_id')
        .select((select) => select.fn.countAll<string>().as('count'))
        .where('m.account_id', '=', accountId)
        .where('m.level', 'in', ['owner', 'admin'])
        .where('p.access_level', '=', 'private')
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },
  }
}

function columnsOf(fields: ProjectFields) {
  return {
    access_level: fields.access_level,
    visibility: fields.visibility,
    tags: json(fields.tags),
    labels: json(fields.labels),
    meta: json(fields.meta),
  }
}

/**
 * The only place that decides who may read a project: everybody for public and free ones; members for private ones; with
 * visibility private_link also the accounts that opened a link which is not revoked. Every list and read starts here.
 */
export function readable(db: Kysely<Tables>, accountId: string) {
  return db
    .selectFrom('projects as p')
    .innerJoin('workspaces as w', 'w.id', 'p.workspace_id')
    .leftJoin('members as m', (join) =>
      join.onRef('m.workspace_id', '=', 'p.workspace_id').on('m.account_id', '=', accountId),
    )
    .selectAll('p')
    .select(['w.fullname as workspace', 'm.level'])
    .select(sql<string | null>`w.meta->>'title'`.as('workspace_title'))
    .select(sql<number>`(select count(*)::int from triggers t where t.project_id = p.id)`.as('triggers_count'))
    .select(sql<number>`(select count(*)::int from templates t where t.project_id = p.id)`.as('templates_count'))
    .where((where) =>
      where.or([
        where('p.access_level', '<>', 'private'),
        where('m.level', 'is not', null),
        where.and([where('p.visibility', '=', 'private_link'), openedByLink(accountId)]),
      ]),
    )
}

function openedByLink(accountId: string) {
  return sql<boolean>`exists (
    select from access_link_openings o join access_links l on l.id = o.link_id
    where l.project_id = p.id and l.revoked_at is null and o.account_id = ${accountId})`
}

const readableByName = precompiled((db, accountId: string, fullname: string) =>
  readable(db, accountId).where('p.fullname', '=', fullname),
)
const readableById = precompiled((db, accountId: string, id: string) => readable(db, accountId).where('p.id', '=', id))
