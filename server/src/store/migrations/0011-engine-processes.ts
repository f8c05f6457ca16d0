import { type Kysely, sql } from 'kysely'

/** The processes that follow sources. Each renews its row, so that all of them know how many share the sources. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table engine_processes (
    id text primary key, joined_at timestamptz not null, lease_until timestamptz not null, lacks integer not null)`.execute(
    db,
  )
}
