import { type Kysely, sql } from 'kysely'

/** No statement looks alerts up by their digest: the trace of a digest has the ids of its alerts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index alerts_digest_id_idx`.execute(db)
}
