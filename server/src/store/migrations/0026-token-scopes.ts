import { type Kysely, sql } from 'kysely'

/** Scopes of tokens, and the workspace that a token is bound to. Null scopes mean all, also those that come later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tokens add column scopes text[],
    add column workspace_id text references workspaces on delete cascade`.execute(db)
  await sql`create index tokens_workspace on tokens (workspace_id) where workspace_id is not null`.execute(db)
}
