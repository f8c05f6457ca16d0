import { type Kysely, sql } from 'kysely'

/** The status that a trigger's own definition gives it, so that it comes back when a run or a source has recovered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table triggers add column definition_warning json`.execute(db)
}
