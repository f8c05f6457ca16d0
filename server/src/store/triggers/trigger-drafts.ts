import type { Level } from '@tocsin/contract'
import { sql } from 'kysely'
import { type Base, newId } from '../core/base.ts'
import type { DraftContent } from '../core/tables.ts'
import { readable } from '../projects/projects.ts'

export type DraftRow = {
  id: string
  version: number
  fullname: string
  project: string
  workspace: string
  workspace_id: string
  access_level: 'private' | 'public' | 'free'
  level: Level | null
  content: DraftContent
  saved_by: string
  saved_at: Date
}
export type NewDraft = { fullname: string; projectId: string; content: DraftContent; savedBy: string }

export function triggerDraftsTable({ db, box }: Base) {
  return {
    /** Undefined when the draft does not exist or the account may not see its project; callers cannot tell which. */
    async findReadable(fullname: string, accountId: string): Promise<DraftRow | undefined> {
      const row = await db
        .selectFrom(readable(db, accountId).as('p'))
        .innerJoin('trigger_drafts as d', 'd.project_id', 'p.id')
        .select(['d.id', 'd.version', 'd.fullname', 'd.definition', 'd.saved_by', 'd.saved_at'])
        .select(['p.fullname as project', 'p.workspace', 'p.workspace_id', 'p.access_level', 'p.level'])
        .where('d.fullname', '=', fullname)
        .executeTakeFirst()
      if (!row) return undefined
      const { definition, ...rest } = row
      return { ...rest, content: box.openJson(definition) }
    },
    /** Locks the name until the transaction ends, so that no other save creates this draft. There is no row to lock yet. */
    async lockName(fullname: string): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`draft of ${fullname}`}, 0))`.execute(db)
    },
    /** Locks the row until the transaction ends. */
    lock(fullname: string): Promise<{ id: string; version: number } | undefined> {
      return db
        .selectFrom('trigger_drafts')
        .select(['id', 'version'])
        .where('fullname', '=', fullname)
        .forUpdate()
        .executeTakeFirst()
    },
    /** One draft per fullname: a new one replaces the old one. */
    async save(draft: NewDraft, at: Date): Promise<void> {
      await db
        .insertInto('trigger_drafts')
        .values({
          id: newId(),
          fullname: draft.fullname,
          project_id: draft.projectId,
          definition: box.sealJson(draft.content),
          saved_by: draft.savedBy,
          saved_at: at,
        })
        .onConflict((conflict) =>
          conflict.column('fullname').doUpdateSet((set) => ({
            project_id: set.ref('excluded.project_id'),
            definition: set.ref('excluded.definition'),
            saved_by: set.ref('excluded.saved_by'),
            saved_at: set.ref('excluded.saved_at'),
            version: sql`trigger_drafts.version + 1`,
          })),
        )
        .execute()
    },
    /** The names among these that a trigger or a draft of the project has, also with a number at the end. */
    async listTakenNames(projectId: string, fullnames: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ fullname: string }>`
        select fullname from (
          select fullname from triggers where project_id = ${projectId}
          union all select fullname from trigger_drafts where project_id = ${projectId}) named
        where fullname = any(${fullnames}) or regexp_replace(fullname, '-[0-9]+$', '') = any(${fullnames})`.execute(db)
      return rows.map((row) => row.fullname)
    },
    /** Returns the ids of the removed drafts. */
    async remove(fullnames: string[]): Promise<string[]> {
      const gone = await db.deleteFrom('trigger_drafts').where('fullname', 'in', fullnames).returning('id').execute()
      return gone.map((row) => row.id)
    },
  }
}
