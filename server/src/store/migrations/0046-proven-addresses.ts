import { type Kysely, sql } from 'kysely'

/**
 * A link that sets a new password proves one address: the one that it was mailed to. Links of older versions have none; they
 * end within half an hour.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table password_resets add column email_key text`.execute(db)
}
