import { type Kysely, sql } from 'kysely'

/**
 * The sources of triggers on several sources, and why a source fails. `binding_warning` is the status of a trigger with
 * failing bindings, so that it comes back when runs have recovered.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table trigger_bindings (
    trigger_id text not null references triggers on delete cascade, id text not null, position integer not null,
    source text not null, failure json, primary key (trigger_id, id))`.execute(db)
  await sql`create index on trigger_bindings (source)`.execute(db)
  await sql`alter table triggers add column binding_warning json`.execute(db)
}
