import { type Kysely, sql } from 'kysely'

/** The address book of a workspace has the form of an account's. Each entry is in one book. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db)
}

const statements = `
alter table addresses alter column account_id drop not null,
  add column workspace_id text references workspaces on delete cascade,
  -- Who changed an entry of a workspace last.
  add column changed_by text references accounts on delete set null,
  add constraint addresses_book check (num_nonnulls(account_id, workspace_id) = 1),
  add constraint addresses_workspace_normal unique (workspace_id, type, normal),
  add constraint addresses_workspace_alias unique (workspace_id, alias);
create index on addresses (changed_by) where changed_by is not null;
`
