import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type pg from 'pg'
import * as accountsAndWorkspaces from '../migrations/0001-accounts-and-workspaces.ts'
import * as projectsAndTriggers from '../migrations/0002-projects-and-triggers.ts'
import * as resourcesAndSubscriptions from '../migrations/0003-resources-and-subscriptions.ts'
import * as following from '../migrations/0004-following.ts'
import * as alertsAndDeliveries from '../migrations/0005-alerts-and-deliveries.ts'
import * as changes from '../migrations/0006-changes.ts'
import * as health from '../migrations/0007-health.ts'
import * as backtests from '../migrations/0008-backtests.ts'
import * as workspaceAddresses from '../migrations/0009-workspace-addresses.ts'
import { openPool } from './pool.ts'

const migrations = {
  '0001-accounts-and-workspaces': accountsAndWorkspaces,
  '0002-projects-and-triggers': projectsAndTriggers,
  '0003-resources-and-subscriptions': resourcesAndSubscriptions,
  '0004-following': following,
  '0005-alerts-and-deliveries': alertsAndDeliveries,
  '0006-changes': changes,
  '0007-health': health,
  '0008-backtests': backtests,
  '0009-workspace-addresses': workspaceAddresses,
}

/** An arbitrary number that identifies this service's advisory lock. */
const migrationLock = 7_263_101

/** Applies the missing migrations, up to `to` or all, once even if several processes start together. */
export async function migrate(url: string, to?: string): Promise<void> {
  const pool = openPool(url, 2)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const guard = await pool.connect()
  try {
    await guard.query('select pg_advisory_lock($1)', [migrationLock])
    const applied = await readApplied(guard)
    requireKnown(applied)
    // Most starts have nothing to apply. The migrator would first list all columns of the database, which takes 0.1 s.
    if (applied.length < Object.keys(migrations).length) await changeTables(db, (trx) => applyMissing(trx, to))
  } finally {
    guard.release(true)
    await db.destroy()
  }
}

async function applyMissing(trx: Kysely<unknown>, to?: string): Promise<void> {
  const migrator = new Migrator({ db: trx, provider: { getMigrations: async () => migrations } })
  const { error } = await (to === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to))
  if (error) throw error
}

async function readApplied(client: pg.PoolClient): Promise<string[]> {
  const table = await client.query("select to_regclass('public.kysely_migration') as name")
  if (!table.rows[0]?.name) return []
  const applied = await client.query<{ name: string }>('select name from kysely_migration order by name')
  return applied.rows.map(({ name }) => name)
}

/** Refuses a schema that a newer version has migrated, because this code would read it wrongly. */
function requireKnown(applied: string[]): void {
  const unknown = applied.filter((name) => !(name in migrations))
  if (unknown.length > 0) throw new NewerSchemaError(unknown)
}

export class NewerSchemaError extends Error {
  constructor(unknown: string[]) {
    super(
      `The store was written by a newer version (unknown migrations: ${unknown.join(', ')}). Start that version or a later one.`,
    )
  }
}

/** Shorter than the time after which PostgreSQL looks for a deadlock, so that the migration gives way first. */
const lockTimeoutMs = 100
const pauseMs = 50
/** The last attempt waits as long as it takes. */
const attemptsMax = 200

/**
 * Changes tables in one transaction while other processes may use them. The locks hold their statements back until the commit.
 * A transaction may lock two tables in another order than the migration does, so the migration gives all its locks up after a
 * short time and tries again. With longer waits there were deadlocks, in which requests or the migration failed.
 */
async function changeTables(db: Kysely<unknown>, change: (trx: Kysely<unknown>) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(async (trx) => {
        await lockTables(trx, attempt < attemptsMax ? lockTimeoutMs : 0)
        await change(trx)
      })
    } catch (error) {
      if (attempt === attemptsMax || !isLockConflict(error)) throw error
      await pause(pauseMs)
    }
  }
}

/** True if a lock was not free in time, or if another process locks the tables in another order. */
function isLockConflict(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === '55P03' || code === '40P01'
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
