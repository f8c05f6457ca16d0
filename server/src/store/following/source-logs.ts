import { type Selectable, sql } from 'kysely'
import type { Base } from '../core/base.ts'
import { literals } from '../core/sql-lists.ts'
import { storable, storableJson } from '../core/storable.ts'
import type { SourceLogsTable } from '../core/tables.ts'

export type SourceLogRow = Selectable<SourceLogsTable>
export type SourceLogLevel = SourceLogRow['level']
export type SourceLogWindow = {
  levels: readonly SourceLogLevel[]
  direction: 'before' | 'after'
  /** Exclusive. Without it the window starts at the newest or at the oldest line. */
  at: Date | undefined
  limit: number
}

export function sourceLogsTable({ db }: Base) {
  return {
    /**
     * Gives each line of a source its own millisecond. A reader continues after the time of the last line it saw and would
     * miss a second line of the same millisecond. The caller holds the source's row.
     */
    async add(
      sourceId: string,
      line: { level: SourceLogLevel; message: string; details?: Record<string, unknown> },
      at: Date,
    ): Promise<void> {
      await db
        .insertInto('source_logs')
        .values({
          source_id: sourceId,
          at: sql<Date>`greatest(${at}::timestamptz,
            (select max(at) + interval '1 millisecond' from source_logs where source_id = ${sourceId}))`,
          level: line.level,
          // What a node says may hold any character.
          message: storable(line.message),
          details: line.details ? storableJson(line.details) : null,
        })
        .execute()
    },
    /** `before` lists newest first, `after` oldest first. */
    async list(sourceId: string, window: SourceLogWindow): Promise<{ rows: SourceLogRow[]; hasMore: boolean }> {
      const isBefore = window.direction === 'before'
      const { at } = window
      const rows = await db
        .selectFrom('source_logs')
        .selectAll()
        .where('source_id', '=', sourceId)
        // Literals, because partial indexes hold the warnings and the errors.
        .where(sql<boolean>`level in (${literals(window.levels)})`)
        .$if(at !== undefined, (query) => query.where('at', isBefore ? '<' : '>', at ?? new Date(0)))
        .orderBy('at', isBefore ? 'desc' : 'asc')
        .orderBy('id', isBefore ? 'desc' : 'asc')
        .limit(window.limit + 1)
        .execute()
      return { rows: rows.slice(0, window.limit), hasMore: rows.length > window.limit }
    },
    async countErrors(sourceIds: string[], since: Date): Promise<Map<string, number>> {
      if (sourceIds.length === 0) return new Map()
      const rows = await db
        .selectFrom('source_logs')
        .select('source_id')
        .select((select) => select.fn.countAll<string>().as('count'))
        .where('source_id', 'in', sourceIds)
        .where(sql<boolean>`level = 'error'`)
        .where('at', '>', since)
        .groupBy('source_id')
        .execute()
      return new Map(rows.map((row) => [row.source_id, Number(row.count)]))
    },
  }
}
