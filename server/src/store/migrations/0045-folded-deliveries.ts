import { type Kysely, sql } from 'kysely'

/** The delivery whose message tells of this one too; `folded-deliveries.ts` explains it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table deliveries add column folded_into text').execute(db)
  await sql.raw('create index on deliveries (folded_into) where folded_into is not null').execute(db)
}
