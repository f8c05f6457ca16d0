import { type Kysely, type Selectable, sql } from 'kysely'
import { type Base, json, newId, type PageQuery, type RowPage, readPage } from '../core/base.ts'
import type { Tables, TemplatesTable } from '../core/tables.ts'

/** The root is the oldest template of its project. It is derived and not stored, so it cannot be inconsistent. */
export type TemplateRow = Selectable<TemplatesTable> & { root: boolean }
export type TemplateFields = Pick<Selectable<TemplatesTable>, 'schema' | 'groups' | 'topics' | 'rules' | 'meta'>

export function templatesTable({ db }: Base) {
  return {
    /** Oldest first, so the root comes first. A cursor is the last row's `seq`. */
    list(projectId: string, page: PageQuery): Promise<RowPage<TemplateRow>> {
      const read = ({ after, limit }: PageQuery) =>
        templates(db, projectId)
          .$if(after !== undefined, (query) => query.where('t.seq', '>', after ?? ''))
          .orderBy('t.seq')
          .limit(limit + 1)
          .execute()
      return readPage<TemplateRow>(page, (row) => row.seq, read)
    },
    find(projectId: string, id: string): Promise<TemplateRow | undefined> {
      return templates(db, projectId).where('t.id', '=', id).executeTakeFirst()
    },
    findRoot(projectId: string): Promise<TemplateRow | undefined> {
      return templates(db, projectId).orderBy('t.seq').limit(1).executeTakeFirst()
    },
    /** Locks the row until the transaction ends, because the transfer of another project may rewrite its rules. */
    lock(projectId: string, id: string): Promise<TemplateRow | undefined> {
      return templates(db, projectId).where('t.id', '=', id).forUpdate().executeTakeFirst()
    },
    async add(projectId: string, fields: TemplateFields, at: Date): Promise<string> {
      const row = await db
        .insertInto('templates')
        .values({ id: newId(), project_id: projectId, ...columnsOf(fields), created_at: at, updated_at: at })
        .returning('id')
        .executeTakeFirstOrThrow()
      return row.id
    },
    async update(id: string, fields: TemplateFields, at: Date): Promise<void> {
      await db
        .updateTable('templates')
        .set({ ...columnsOf(fields), version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .execute()
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('templates').where('id', '=', id).execute()
    },
    /**
     * Which of the named triggers the rules of the workspace's templates may use: its own and all public ones. A private
     * trigger of another workspace looks like a missing one.
     */
    async knownTriggers(workspaceId: string, fullnames: string[]): Promise<Set<string>> {
      const rows = await db
        .selectFrom('triggers')
        .innerJoin('projects', 'projects.id', 'triggers.project_id')
        .select('triggers.fullname')
        .where('triggers.fullname', '=', sql<string>`any(${fullnames})`)
        .where((where) =>
          where.or([where('projects.workspace_id', '=', workspaceId), where('projects.access_level', '<>', 'private')]),
        )
        .execute()
      return new Set(rows.map((row) => row.fullname))
    },
  }
}

function templates(db: Kysely<Tables>, projectId: string) {
  return db
    .selectFrom('templates as t')
    .selectAll('t')
    .select(
      sql<boolean>`t.seq = (select min(oldest.seq) from templates oldest where oldest.project_id = ${projectId})`.as(
        'root',
      ),
    )
    .where('t.project_id', '=', projectId)
}

function columnsOf(fields: TemplateFields) {
  return {
    schema: json(fields.schema),
    groups: json(fields.groups),
    topics: json(fields.topics),
    rules: json(fields.rules),
    meta: json(fields.meta),
  }
}
