import { sql } from 'kysely'
import { type Base, json, type PageQuery, pageOf, type RowPage } from '../core/base.ts'
import type { DraftContent } from '../core/tables.ts'

export type NewVersion = {
  triggerId: string
  content: DraftContent
  /** The fields that differ from the version before. */
  changed: string[]
  restoredFrom: number | null
  savedBy: string
}
export type VersionRow = {
  number: number
  changed: string[]
  restored_from: number | null
  saved_by: string | null
  saved_by_name: string | null
  saved_at: Date
}
export type WholeVersion = VersionRow & { content: DraftContent }

/** The published versions of triggers, numbered from 1. The caller has locked the trigger. */
export function triggerVersionsTable({ db, box }: Base) {
  const rowsOf = (triggerId: string) =>
    db
      .selectFrom('trigger_versions as v')
      .leftJoin('accounts as a', 'a.id', 'v.saved_by')
      .select(['v.number', 'v.changed', 'v.restored_from', 'v.saved_by', 'a.name as saved_by_name', 'v.saved_at'])
      .where('v.trigger_id', '=', triggerId)
  const open = ({ content, ...row }: VersionRow & { content: Buffer }): WholeVersion => ({
    ...row,
    content: box.openJson<DraftContent>(content),
  })
  return {
    /** Newest first. The cursor is a number. */
    async list(triggerId: string, { limit, after }: PageQuery): Promise<RowPage<VersionRow>> {
      const rows = await rowsOf(triggerId)
        .$if(after !== undefined, (query) => query.where(sql<boolean>`v.number < ${after}::bigint`))
        .orderBy('v.number', 'desc')
        .limit(limit + 1)
        .execute()
      return pageOf<VersionRow>(rows, limit, ({ number }) => String(number))
    },
    async find(triggerId: string, number: number): Promise<WholeVersion | undefined> {
      const row = await rowsOf(triggerId).select('v.content').where('v.number', '=', number).executeTakeFirst()
      return row && open(row)
    },
    async findLast(triggerId: string): Promise<WholeVersion | undefined> {
      const row = await rowsOf(triggerId).select('v.content').orderBy('v.number', 'desc').limit(1).executeTakeFirst()
      return row && open(row)
    },
    async add(number: number, version: NewVersion, at: Date): Promise<void> {
      await db
        .insertInto('trigger_versions')
        .values({
          trigger_id: version.triggerId,
          number,
          project_id: sql<string>`(select project_id from triggers where id = ${version.triggerId})`,
          content: box.sealJson(version.content),
          changed: json(version.changed),
          restored_from: version.restoredFrom,
          saved_by: version.savedBy,
          saved_at: at,
        })
        .execute()
    },
    /** Deletes the versions up to this number. */
    async dropUntil(triggerId: string, number: number): Promise<void> {
      await db
        .deleteFrom('trigger_versions')
        .where('trigger_id', '=', triggerId)
        .where('number', '<=', number)
        .execute()
    },
  }
}
