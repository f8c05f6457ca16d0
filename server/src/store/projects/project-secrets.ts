import { type Selectable, sql } from 'kysely'
import { type Base, newId, type PageQuery, pageOf } from '../core/base.ts'
import type { ProjectSecretsTable } from '../core/tables.ts'

/** A secret without its value, as developers see it. */
export type ProjectSecretRow = Omit<Selectable<ProjectSecretsTable>, 'value'>

const shown = ['id', 'project_id', 'name', 'version', 'created_at', 'updated_at'] as const

export function projectSecretsTable({ db, box }: Base) {
  return {
    async list(projectId: string, page: PageQuery) {
      const rows = await db
        .selectFrom('project_secrets')
        .select(shown)
        .where('project_id', '=', projectId)
        .$if(page.after !== undefined, (query) => query.where('name', '>', page.after ?? ''))
        .orderBy('name')
        .limit(page.limit + 1)
        .execute()
      return pageOf<ProjectSecretRow>(rows, page.limit, (row) => row.name)
    },
    find(projectId: string, name: string): Promise<ProjectSecretRow | undefined> {
      return db
        .selectFrom('project_secrets')
        .select(shown)
        .where('project_id', '=', projectId)
        .where('name', '=', name)
        .executeTakeFirst()
    },
    async listNames(projectId: string): Promise<string[]> {
      const rows = await db.selectFrom('project_secrets').select('name').where('project_id', '=', projectId).execute()
      return rows.map(({ name }) => name)
    },
    /** The values by name, only for runs of the project's triggers. */
    async open(projectId: string): Promise<Record<string, string>> {
      const rows = await db
        .selectFrom('project_secrets')
        .select(['name', 'value'])
        .where('project_id', '=', projectId)
        .execute()
      return Object.fromEntries(rows.map(({ name, value }) => [name, box.open(value)]))
    },
    save(secret: { projectId: string; name: string; value: string }, at: Date): Promise<ProjectSecretRow> {
      const value = box.seal(secret.value)
      return db
        .insertInto('project_secrets')
        .values({
          id: newId(),
          project_id: secret.projectId,
          name: secret.name,
          value,
          created_at: at,
          updated_at: at,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['project_id', 'name'])
            .doUpdateSet({ value, version: sql`project_secrets.version + 1`, updated_at: at }),
        )
        .returning(shown)
        .executeTakeFirstOrThrow()
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('project_secrets').where('id', '=', id).execute()
    },
  }
}
