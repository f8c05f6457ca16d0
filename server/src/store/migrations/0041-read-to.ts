import { type Kysely, sql } from 'kysely'

/** Up to which time the blocks of a source were read; `read-to.ts` in the policies explains both columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table followers add column number_at timestamptz, add column read_at timestamptz').execute(db)
}
