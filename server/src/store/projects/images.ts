import { type Selectable, sql } from 'kysely'
import { type Base, newId } from '../core/base.ts'
import type { ImagesTable } from '../core/tables.ts'

export type ImageRow = Selectable<ImagesTable>
export type ImageOwner = { workspaceId: string } | { projectId: string }

export function imagesTable({ db }: Base) {
  return {
    /** Uploading the same picture again keeps one file and resets its age for the sweeper. */
    async add(owner: ImageOwner, fileName: string, contentType: string, bytes: Buffer, at: Date): Promise<void> {
      const columns =
        'projectId' in owner ? (['project_id', 'file_name'] as const) : (['workspace_id', 'file_name'] as const)
      await db
        .insertInto('images')
        .values({
          id: newId(),
          project_id: 'projectId' in owner ? owner.projectId : null,
          workspace_id: 'workspaceId' in owner ? owner.workspaceId : null,
          file_name: fileName,
          content_type: contentType,
          bytes,
          created_at: at,
        })
        .onConflict((conflict) => conflict.columns(columns).doUpdateSet({ created_at: at }))
        .execute()
    },
    findOfProject(projectId: string, fileName: string): Promise<ImageRow | undefined> {
      return db
        .selectFrom('images')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('file_name', '=', fileName)
        .executeTakeFirst()
    },
    findOfWorkspace(fullname: string, fileName: string): Promise<ImageRow | undefined> {
      return db
        .selectFrom('images')
        .innerJoin('workspaces', 'workspaces.id', 'images.workspace_id')
        .selectAll('images')
        .where('workspaces.fullname', '=', fullname)
        .where('images.file_name', '=', fileName)
        .executeTakeFirst()
    },
    async removeOfProject(projectId: string, fileName: string): Promise<boolean> {
      const gone = await db
        .deleteFrom('images')
        .where('project_id', '=', projectId)
        .where('file_name', '=', fileName)
        .returning('id')
        .executeTakeFirst()
      return gone !== undefined
    },
    /** Removes pictures that no saved entity uses and that were uploaded before this time. */
    async sweep(before: Date): Promise<number> {
      const { numAffectedRows } = await sql`
        delete from images i where created_at < ${before}
          and not exists (select from projects p where p.id = i.project_id
            and strpos(p.meta::text, i.file_name) > 0)
          and not exists (select from workspaces w where w.id = i.workspace_id
            and strpos(w.meta::text, i.file_name) > 0)`.execute(db)
      return Number(numAffectedRows ?? 0n)
    },
  }
}
