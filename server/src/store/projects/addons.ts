import { blockingAddonStates } from '@tocsin/contract'
import { type Selectable, sql } from 'kysely'
import { type Base, newId, type PageQuery, pageOf } from '../core/base.ts'
import type { AddonsTable } from '../core/tables.ts'

export type AddonRow = Selectable<AddonsTable>

/** Add-on subscriptions of projects. */
export function addonsTable({ db }: Base) {
  return {
    async list(projectId: string, page: PageQuery) {
      const rows = await db
        .selectFrom('addons')
        .selectAll()
        .where('project_id', '=', projectId)
        .$if(page.after !== undefined, (query) => query.where('id', '>', page.after ?? ''))
        .orderBy('id')
        .limit(page.limit + 1)
        .execute()
      return pageOf<AddonRow>(rows, page.limit, (row) => row.id)
    },
    find(projectId: string, id: string): Promise<AddonRow | undefined> {
      return db
        .selectFrom('addons')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .executeTakeFirst()
    },
    /** The oldest add-on that prevents a transfer of the project. */
    findBlocking(projectId: string): Promise<AddonRow | undefined> {
      return db
        .selectFrom('addons')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('state', 'in', blockingAddonStates)
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
    },
    add(addon: { projectId: string; name: string; state: AddonRow['state'] }, at: Date): Promise<AddonRow> {
      return db
        .insertInto('addons')
        .values({
          id: newId(),
          project_id: addon.projectId,
          name: addon.name,
          state: addon.state,
          created_at: at,
          updated_at: at,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
    },
    setState(id: string, state: AddonRow['state'], at: Date): Promise<AddonRow> {
      return db
        .updateTable('addons')
        .set({ state, version: sql`version + 1`, updated_at: at })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
    },
  }
}
