import { type Kysely, sql } from 'kysely'

/** Whether the contracts of a factory are known up to the blocks that the follower reads itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table trigger_factories add column is_learned boolean not null default false').execute(db)
  await sql.raw('update trigger_factories set is_learned = true where from_block is not null').execute(db)
  await sql.raw('create index on trigger_factories (source) where not is_learned').execute(db)
}
