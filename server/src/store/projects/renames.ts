import { type Selectable, sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import type { DraftContent, ProjectMeta, TemplatesTable, TriggerDefinition, TriggersTable } from '../core/tables.ts'

/**
 * Reads and rewrites everything that contains a project's name. It is one file so that the list stays complete: a new
 * place that stores a name of a project, trigger or resource must be added here, or a transfer misses it.
 */
export type Owner = { workspaceId: string; workspace: string }
export type NewProjectName = { name: string; fullname: string; meta: ProjectMeta }
export type RulesRow = Pick<Selectable<TemplatesTable>, 'id' | 'project_id' | 'rules'>
export type DefinitionRow = Pick<Selectable<TriggersTable>, 'id' | 'project_id' | 'definition'>
export type OpenDraft = { id: string; fullname: string; content: DraftContent }

export function renamesTable({ db, box }: Base) {
  return {
    listTriggers(projectId: string): Promise<{ name: string; fullname: string }[]> {
      return db.selectFrom('triggers').select(['name', 'fullname']).where('project_id', '=', projectId).execute()
    },
    listResources(projectId: string): Promise<{ name: string; fullname: string }[]> {
      return db.selectFrom('resources').select(['name', 'fullname']).where('project_id', '=', projectId).execute()
    },
    listTemplates(projectId: string): Promise<{ id: string }[]> {
      return db.selectFrom('templates').select('id').where('project_id', '=', projectId).execute()
    },
    async countAccessLinks(projectId: string): Promise<number> {
      const row = await db
        .selectFrom('access_links')
        .select((select) => select.fn.countAll<string>().as('count'))
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },
    /** Which of the given names resources already use. */
    async findTakenResources(fullnames: string[]): Promise<string[]> {
      const rows = await db
        .selectFrom('resources')
        .select('fullname')
        .where('fullname', '=', sql<string>`any(${fullnames})`)
        .execute()
      return rows.map((row) => row.fullname)
    },

    /** Runs before the names change: adds the current names as aliases. If an alias exists, the latest owner gets it. */
    async leaveAliases(projectId: string, at: Date): Promise<number> {
      const { numAffectedRows } = await sql`
        insert into aliases (kind, fullname, target_id, created_at)
        select 'project', fullname, id, ${at}::timestamptz from projects where id = ${projectId}
        union all select 'trigger', fullname, id, ${at}::timestamptz from triggers where project_id = ${projectId}
        union all select 'resource', fullname, id, ${at}::timestamptz from resources where project_id = ${projectId}
        on conflict (kind, fullname) do update set target_id = excluded.target_id, created_at = excluded.created_at
      `.execute(db)
      return Number(numAffectedRows ?? 0n)
    },
    /** Runs after the names changed: removes aliases that equal a current name, because the current owner has priority. */
    async dropAliases(projectId: string): Promise<void> {
      await sql`
        delete from aliases a where (a.kind, a.fullname) in (
          select 'project', fullname from projects where id = ${projectId}
          union all select 'trigger', fullname from triggers where project_id = ${projectId}
          union all select 'resource', fullname from resources where project_id = ${projectId})
      `.execute(db)
    },
    async moveProject(projectId: string, owner: Owner, to: NewProjectName, at: Date): Promise<void> {
      await db
        .updateTable('projects')
        .set({ workspace_id: owner.workspaceId, name: to.name, fullname: to.fullname, meta: json(to.meta) })
        .set({ version: sql`version + 1`, updated_at: at })
        .where('id', '=', projectId)
        .execute()
    },
    async renameTriggers(projectId: string, project: string, at: Date): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('triggers')
        .set({ fullname: sql`${project}::text || '.' || name`, version: sql`version + 1`, updated_at: at })
        .where('project_id', '=', projectId)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
    async moveResources(projectId: string, owner: Owner, at: Date): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('resources')
        .set({ workspace_id: owner.workspaceId, fullname: sql`${owner.workspace}::text || '.' || name` })
        .set({ version: sql`version + 1`, updated_at: at })
        .where('project_id', '=', projectId)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
    /** The project's resources that can be set up with a token. */
    async listTokenHolders(projectId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('resources')
        .select('id')
        .where('project_id', '=', projectId)
        .where('token', 'is not', null)
        .execute()
      return rows.map(({ id }) => id)
    },

    /** Locks the project's definitions and all definitions that listen to one of the given streams. */
    lockDefinitions(projectId: string, streams: string[]): Promise<DefinitionRow[]> {
      return db
        .selectFrom('triggers')
        .select(['id', 'project_id', 'definition'])
        .where((where) =>
          where.or([
            where('project_id', '=', projectId),
            sql<boolean>`definition->'backend'->>'trigger' = any(${streams})`,
          ]),
        )
        .orderBy('id')
        .forUpdate()
        .execute()
    },
    async setDefinition(id: string, definition: TriggerDefinition, at: Date): Promise<void> {
      await db
        .updateTable('triggers')
        .set({ definition: json(definition), version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
    async lockDrafts(projectId: string): Promise<OpenDraft[]> {
      const rows = await db
        .selectFrom('trigger_drafts')
        .select(['id', 'fullname', 'definition'])
        .where('project_id', '=', projectId)
        .orderBy('id')
        .forUpdate()
        .execute()
      return rows.map(({ id, fullname, definition }) => ({ id, fullname, content: box.openJson(definition) }))
    },
    async setDraft({ id, fullname, content }: OpenDraft): Promise<void> {
      await db
        .updateTable('trigger_drafts')
        .set({ fullname, definition: box.sealJson(content), version: sql`version + 1` })
        .where('id', '=', id)
        .execute()
    },
    /** Locks the project's templates and all templates whose rules may name one of its triggers. */
    lockRules(projectId: string, project: string): Promise<RulesRow[]> {
      return db
        .selectFrom('templates')
        .select(['id', 'project_id', 'rules'])
        .where((where) =>
          where.or([where('project_id', '=', projectId), sql<boolean>`strpos(rules::text, ${`"${project}.`}) > 0`]),
        )
        .orderBy('id')
        .forUpdate()
        .execute()
    },
    async setRules(id: string, rules: unknown[], at: Date): Promise<void> {
      await db
        .updateTable('templates')
        .set({ rules: json(rules), version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
  }
}
