import { type Kysely, sql } from 'kysely'

/** Invitations to a workspace by e-mail. The link in the mail has the token; the store has its hash. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table invitations (
    id text primary key, workspace_id text not null references workspaces on delete cascade,
    email text not null, email_key text not null, level text not null, hash bytea not null unique,
    invited_by text not null, invited_by_name text not null, expires_at timestamptz not null,
    accepted_at timestamptz, revoked_at timestamptz, created_at timestamptz not null)`.execute(db)
  await sql`create index invitations_workspace on invitations (workspace_id, id)`.execute(db)
}
