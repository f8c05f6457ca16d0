import { type Kysely, sql } from 'kysely'

/**
 * These tables have few rows that change every second. By default PostgreSQL vacuums and analyses such a table after 50 changes:
 * four times a minute, also while nothing happens.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['followers', 'engine_processes', 'custom_sources', 'lanes'])
    await sql
      .raw(`alter table ${table} set (autovacuum_vacuum_threshold = 2000, autovacuum_analyze_threshold = 2000)`)
      .execute(db)
}
