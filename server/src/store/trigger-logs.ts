import { type Kysely, type Selectable, sql } from 'kysely'
import { type Base, json } from './base.ts'
import type { Tables, TriggerLogsTable } from './tables.ts'

export type TriggerLogRow = Selectable<TriggerLogsTable>
export type TriggerLogEvent = {
  triggerId: string
  kind: TriggerLogRow['kind']
  status: TriggerLogRow['status']
  reasonCode?: string
  message?: string
  channel?: string
  resource?: string
  source?: string
  sample?: Record<string, unknown>
}
export type LogWindow = {
  limit: number
  direction: 'before' | 'after'
  /** Exclusive; absent: from the end that the direction starts at. */
  at?: Date | undefined
  status?: TriggerLogRow['status'] | undefined
}

const hourMs = 3_600_000

export function triggerLogsTable({ db }: Base) {
  return {
    /** `before` answers newest first, `after` oldest first. */
    async list(triggerId: string, window: LogWindow): Promise<{ rows: TriggerLogRow[]; hasMore: boolean }> {
      const isBefore = window.direction === 'before'
      const order = isBefore ? 'desc' : 'asc'
      const rows = await db
        .selectFrom('trigger_logs')
        .selectAll()
        .where('trigger_id', '=', triggerId)
        .$if(window.status !== undefined, (query) => query.where('status', '=', window.status ?? 'failed'))
        .$if(window.at !== undefined, (query) =>
          query.where('last_seen_at', isBefore ? '<' : '>', window.at ?? new Date(0)),
        )
        .orderBy('last_seen_at', order)
        .orderBy('id', order)
        .limit(window.limit + 1)
        .execute()
      return { rows: rows.slice(0, window.limit), hasMore: rows.length > window.limit }
    },
    /**
     * The same kind, status, reason and channel within an hour of the first is one entry with a count. A lock on what
     * makes them the same lets only one writer at a time look for the entry, so that two firsts do not make two.
     */
    async record(event: TriggerLogEvent, at: Date): Promise<void> {
      await inTransaction(db, async (db) => {
        const sameness = [event.triggerId, event.kind, event.status, event.reasonCode, event.channel]
        await sql`select pg_advisory_xact_lock(hashtextextended(${json(sameness)}, 0))`.execute(db)
        if (!(await countAgain(db, event, at))) await addFirst(db, event, at)
      })
    },
  }
}

function inTransaction(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}

async function countAgain(db: Kysely<Tables>, event: TriggerLogEvent, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('trigger_logs')
    .set({ count: sql`count + 1`, last_seen_at: sql`greatest(last_seen_at, ${at}::timestamptz)`, ...latest(event) })
    .where('id', '=', currentEntry(db, event, at))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function currentEntry(db: Kysely<Tables>, event: TriggerLogEvent, at: Date) {
  return db
    .selectFrom('trigger_logs')
    .select('id')
    .where('trigger_id', '=', event.triggerId)
    .where('kind', '=', event.kind)
    .where('status', '=', event.status)
    .where('reason_code', 'is not distinct from', event.reasonCode ?? null)
    .where('channel', 'is not distinct from', event.channel ?? null)
    .where('first_seen_at', '>', new Date(at.getTime() - hourMs))
    .orderBy('first_seen_at', 'desc')
    .limit(1)
}

async function addFirst(db: Kysely<Tables>, event: TriggerLogEvent, at: Date): Promise<void> {
  await db
    .insertInto('trigger_logs')
    .values({
      trigger_id: event.triggerId,
      kind: event.kind,
      status: event.status,
      reason_code: event.reasonCode ?? null,
      channel: event.channel ?? null,
      ...latest(event),
      count: 1,
      first_seen_at: at,
      last_seen_at: at,
    })
    .execute()
}

/** Of many like it, the latest is told. */
function latest(event: TriggerLogEvent) {
  return {
    message: event.message ?? null,
    resource: event.resource ?? null,
    source: event.source ?? null,
    sample: event.sample ? json(event.sample) : null,
  }
}
