import { type Kysely, sql } from 'kysely'

/** Secrets of projects, which provider fields name as `{{secrets.<name>}}`. `value` is sealed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table project_secrets (
    id text primary key, project_id text not null references projects on delete cascade,
    name text collate "C" not null, value bytea not null, version integer not null default 1,
    created_at timestamptz not null, updated_at timestamptz not null, unique (project_id, name))`.execute(db)
}
