import { type Kysely, sql } from 'kysely'

/** Answers of other services and of chains, kept until they expire: ABIs of contracts and names of addresses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table look_ups (
    kind text not null, key text not null, value json not null, expires_at timestamptz not null,
    primary key (kind, key))`.execute(db)
  await sql`create index on look_ups (expires_at)`.execute(db)
}
