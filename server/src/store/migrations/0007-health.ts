import { type Kysely, sql } from 'kysely'

/** What the stream `<workspace>.health` tells. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db)
}

const statements = `
-- Changes of sources and destinations that no process has published yet. Those of triggers are in trigger_events.
create table health_events (
  id bigint generated always as identity primary key, item json not null, at timestamptz not null default now());
create index on health_events (at);
create trigger notify_engines after insert on health_events for each statement execute function notify_engines();

-- The stream was told that deliveries of this lane fail, and not yet that they work again.
alter table lanes add column is_told_failing boolean not null default false;
`
