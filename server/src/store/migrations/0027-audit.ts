import { type Kysely, sql } from 'kysely'

/**
 * The audit log. It keeps the name that the actor had, and outlives the account. `seq` orders entries of the same
 * millisecond.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table audit_entries (
    id text primary key, seq bigint generated always as identity,
    workspace_id text not null references workspaces on delete cascade, at timestamptz not null,
    actor_id text not null, actor_name text not null, action text not null, fullname text not null,
    paths text[] not null, ip text not null)`,
  'create index audit_entries_newest on audit_entries (workspace_id, at desc, seq desc)',
  'create index audit_entries_actor on audit_entries (workspace_id, actor_id, at desc, seq desc)',
  'create index audit_entries_action on audit_entries (workspace_id, action, at desc, seq desc)',
  'create index audit_entries_at on audit_entries (at)',
]
