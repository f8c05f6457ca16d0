import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { endIdleSessions, endStaleSessions, quietMs } from './end-stale-sessions.ts'

/** Shorter than the time after which PostgreSQL looks for a deadlock, so that the migration gives way first. */
const lockTimeoutMs = 100
const pauseMs = 50
/** The last attempt waits as long as it takes. */
const attemptsMax = 200

/**
 * Changes tables in one transaction while processes of older versions may use them. The locks hold their statements back until
 * the commit. A session that begins before it waits too, and prepares statements that fit the changed tables. So quiet
 * sessions are ended while the tables are locked, and the others after the commit.
 * `guard` is a session outside the transaction.
 */
export async function changeTables(
  db: Kysely<unknown>,
  guard: pg.ClientBase,
  change: (trx: Kysely<unknown>) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const lockedAt = await db.transaction().execute(async (trx) => {
        await lockTables(trx, attempt < attemptsMax ? lockTimeoutMs : 0)
        const lockedAt = await readTime(guard)
        await endQuietSessions(guard, lockedAt)
        await change(trx)
        return lockedAt
      })
      return await endStaleSessions(guard, lockedAt)
    } catch (error) {
      if (attempt === attemptsMax || !isLockConflict(error)) throw error
      await pause(pauseMs)
    }
  }
}

/** True if a lock was not free in time, or if an older process locks the tables in another order. */
function isLockConflict(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === '55P03' || code === '40P01'
}

/** By the second look all work of the older processes waits for the locks. */
async function endQuietSessions(guard: pg.ClientBase, lockedAt: string): Promise<void> {
  if ((await endIdleSessions(guard, lockedAt, quietMs)) === 0) return
  await pause(2 * quietMs)
  await endIdleSessions(guard, lockedAt, quietMs)
}

/** Tables that others keep in the same schema stay free. */
async function lockTables(trx: Kysely<unknown>, timeoutMs: number): Promise<void> {
  const { rows } = await sql<{ list: string | null }>`
    select string_agg(format('%I.%I', schemaname, tablename), ', ' order by tablename) as list,
        set_config('lock_timeout', ${String(timeoutMs)}, true) from pg_tables
      where schemaname = 'public' and pg_has_role(tableowner, 'usage')`.execute(trx)
  const list = rows[0]?.list
  if (list) await sql.raw(`lock table ${list} in access exclusive mode`).execute(trx)
  await sql`set local lock_timeout = 0`.execute(trx)
}

/** As text, because a date of JavaScript has no microseconds. */
async function readTime(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ now: string }>('select clock_timestamp()::text as now')
  if (!rows[0]) throw new Error('the store returned no row')
  return rows[0].now
}
