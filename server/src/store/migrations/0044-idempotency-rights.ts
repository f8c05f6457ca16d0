import { type Kysely, sql } from 'kysely'

/**
 * The request that a key was used for, as a keyed hash, and the size of its kept reply. Rows of older versions have
 * neither: they end within a day.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table idempotency_keys add column request_hash text, add column size integer not null default 0`.execute(
    db,
  )
  await sql`create index idempotency_keys_sizes on idempotency_keys (account_id) include (size)`.execute(db)
}
