import { type Kysely, sql } from 'kysely'

/** How each source was doing, once a minute: head, lag, and the calls to each of its endpoints. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table source_minutes (
    source text not null, minute timestamptz not null, status text not null, head bigint, processed bigint, lag bigint,
    head_age_ms bigint, endpoints json not null, primary key (source, minute))`.execute(db)
  await sql`create index on source_minutes (minute)`.execute(db)
}
