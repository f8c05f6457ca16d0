import { type Kysely, sql } from 'kysely'

/** Alerts that arrive at once are not updated any more, so their pages are filled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table alerts set (fillfactor = 100)`.execute(db)
}
