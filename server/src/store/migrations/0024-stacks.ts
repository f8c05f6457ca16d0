import { type Kysely, sql } from 'kysely'

/**
 * Stacks: definitions that are planned and applied as a whole. Projects, triggers and resources name their stack in their
 * labels. `stack_entities` holds what the last apply of a stack wrote, sealed, because payloads contain secrets.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table custom_sources add column stack text',
  'alter table address_lists add column stack text',
  'alter table templates add column stack text, add column key text',
  'alter table subscriptions add column stack text, add column key text',
  'create unique index templates_key on templates (project_id, stack, key) where stack is not null',
  'create unique index subscriptions_key on subscriptions (workspace_id, stack, key) where stack is not null',
  `create table stack_entities (
    workspace_id text not null references workspaces on delete cascade, stack text not null, kind text not null,
    name text collate "C" not null, payload bytea not null, applied_at timestamptz not null,
    primary key (workspace_id, stack, kind, name))`,
]
