import { type Kysely, sql } from 'kysely'

/** Every published version of a trigger. `content` is sealed, because providers hold keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table trigger_versions (
    trigger_id text not null references triggers on delete cascade, number integer not null,
    project_id text not null references projects on delete cascade, content bytea not null, changed json not null,
    restored_from integer, saved_by text references accounts on delete set null, saved_at timestamptz not null,
    primary key (trigger_id, number))`.execute(db)
  await sql`create index on trigger_versions (project_id)`.execute(db)
  await sql`create index on trigger_versions (saved_by)`.execute(db)
}
