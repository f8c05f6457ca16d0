import { type Kysely, sql } from 'kysely'

/** The runs of a history that are recorded while others of their block wait for a provider (`HistoriesTable.recorded`). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table histories add column recorded jsonb`.execute(db)
}
