import { type Kysely, sql } from 'kysely'

/** What people see of a destination's health. The lane writes it in the update that it makes after each batch anyway. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lanes add column last_error text, add column last_error_at timestamptz,
    add column last_success_at timestamptz`.execute(db)
}
