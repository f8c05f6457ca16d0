import { type Kysely, sql } from 'kysely'

/**
 * Where an account and its tokens were used, as keyed hashes. `subject` is the id of a token, or `sign-in`. `told_at` is the
 * time when the owner was told of the place.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table account_places (
    account_id text not null references accounts on delete cascade, subject text not null, hash text not null,
    last_seen_at timestamptz not null, told_at timestamptz, primary key (account_id, subject, hash))`.execute(db)
  await sql`create index on account_places (last_seen_at)`.execute(db)
}
