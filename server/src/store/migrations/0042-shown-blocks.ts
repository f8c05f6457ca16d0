import { type Kysely, sql } from 'kysely'

/** An alert that lasts shows the block of its newest output, and a reorg finds it by the block that caused it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table alerts add column shown_block json').execute(db)
}
