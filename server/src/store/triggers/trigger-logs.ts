import { type Kysely, type Selectable, sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import { storable, storableJson } from '../core/storable.ts'
import type { Tables, TriggerLogsTable } from '../core/tables.ts'

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
export type CountedLogEvent = TriggerLogEvent & { count: number }
export type LogWindow = {
  limit: number
  direction: 'before' | 'after'
  /** Exclusive. Without it the window starts at the newest or at the oldest entry. */
  at?: Date | undefined
  status?: TriggerLogRow['status'] | undefined
}

const hourMs = 3_600_000

export function triggerLogsTable({ db }: Base) {
  return {
    /** `before` lists newest first, `after` oldest first. */
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
     * Events of the same kind, status, reason and channel within an hour of the first are one entry with a count. A lock on
     * these fields lets one writer at a time look for the entry, so that two concurrent first events do not make two entries.
     */
    async record(event: TriggerLogEvent, at: Date): Promise<void> {
      await inTransaction(db, (db) => recordOne(db, { ...event, count: 1 }, at))
    },
    /** Adds each event's count. All writers use the same order, so two cannot deadlock. */
    async recordMany(events: readonly CountedLogEvent[], at: Date): Promise<void> {
      const ordered = [...events].sort((a, b) => (entryKey(a) < entryKey(b) ? -1 : 1))
      await inTransaction(db, async (db) => {
        for (const event of ordered) await recordOne(db, event, at)
      })
    },
  }
}

async function recordOne(db: Kysely<Tables>, event: CountedLogEvent, at: Date): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${entryKey(event)}, 0))`.execute(db)
  if (await increaseCount(db, event, at)) return
  // The trigger may have been deleted since it ran. That must not fail the entries of the others.
  if (await triggerExists(db, event.triggerId)) await addEntry(db, event, at)
}

async function triggerExists(db: Kysely<Tables>, triggerId: string): Promise<boolean> {
  const found = await db
    .selectFrom('triggers')
    .select('id')
    .where('id', '=', triggerId)
    .forKeyShare()
    .executeTakeFirst()
  return found !== undefined
}

function entryKey(event: TriggerLogEvent): string {
  return json([event.triggerId, event.kind, event.status, event.reasonCode, event.channel])
}

function inTransaction(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}

async function increaseCount(db: Kysely<Tables>, event: CountedLogEvent, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('trigger_logs')
    .set({
      count: sql`count + ${event.count}`,
      last_seen_at: sql`greatest(last_seen_at, ${at}::timestamptz)`,
      ...latest(event),
    })
    .where('id', '=', currentEntry(db, event, at))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function currentEntry(db: Kysely<Tables>, event: TriggerLogEvent, at: Date) {
  return (
    db
      .selectFrom('trigger_logs')
      .select('id')
      .where('trigger_id', '=', event.triggerId)
      .where('kind', '=', event.kind)
      .where('status', '=', event.status)
      .where('reason_code', 'is not distinct from', event.reasonCode ?? null)
      .where('channel', 'is not distinct from', event.channel ?? null)
      .where('first_seen_at', '>', new Date(at.getTime() - hourMs))
      // Follows from the condition above, and lets PostgreSQL find the recent entries in an index.
      .where('last_seen_at', '>', new Date(at.getTime() - hourMs))
      .orderBy('first_seen_at', 'desc')
      .limit(1)
  )
}

async function addEntry(db: Kysely<Tables>, event: CountedLogEvent, at: Date): Promise<void> {
  await db
    .insertInto('trigger_logs')
    .values({
      trigger_id: event.triggerId,
      kind: event.kind,
      status: event.status,
      reason_code: event.reasonCode ?? null,
      channel: event.channel ?? null,
      ...latest(event),
      count: event.count,
      first_seen_at: at,
      last_seen_at: at,
    })
    .execute()
}

/** The entry shows the latest of the events that it counts. Errors of scripts and of remote servers may hold any character. */
function latest(event: TriggerLogEvent) {
  return {
    message: storable(event.message ?? null),
    resource: event.resource ?? null,
    source: event.source ?? null,
    sample: event.sample ? storableJson(event.sample) : null,
  }
}
