import { type Kysely, sql } from 'kysely'

/**
 * A request that reaches the network claims its Idempotency-Key in a commit of its own, before it has a reply. The claim
 * is a lease: the process renews it while the request runs, and another may take it once it has expired.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table idempotency_keys add column claim_id text, add column claimed_until timestamptz`.execute(db)
}
