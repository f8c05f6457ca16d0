import { type Kysely, sql } from 'kysely'

/**
 * When the receiver of an e-mail resource confirmed its address. Resources that delivered before this was asked for go
 * on: their receivers can leave by the link in every message.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table resources add column confirmed_at timestamptz`.execute(db)
  await sql`update resources set confirmed_at = updated_at
    where blueprint = 'common.delivery.email' and ready`.execute(db)
}
