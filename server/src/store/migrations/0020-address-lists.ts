import { type Kysely, sql } from 'kysely'

/** Address lists of workspaces, which conditions name. Engines read a list again when it changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table address_lists (
    id text primary key, workspace_id text not null references workspaces on delete cascade, name text not null,
    fullname text collate "C" not null unique, type text not null, addresses json not null, count integer not null,
    meta json not null, version integer not null default 1, created_at timestamptz not null,
    updated_at timestamptz not null)`.execute(db)
  await sql`create index on address_lists (workspace_id)`.execute(db)
  await sql`create trigger note_change after insert or delete or update of addresses, fullname on address_lists
    for each row execute function note_change('address_list', 'fullname')`.execute(db)
}
