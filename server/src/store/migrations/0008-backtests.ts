import { type Kysely, sql } from 'kysely'

/** Backtests over long ranges, which run without a request. They are kept for a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db)
}

const statements = `
-- The process that runs it writes heartbeat_at; without that, the process is gone.
create table backtests (
  id text primary key, account_id text not null references accounts on delete cascade,
  workspace_id text references workspaces on delete cascade, state text not null,
  from_block bigint not null, to_block bigint not null, checked_blocks bigint not null default 0,
  fired bigint not null default 0, is_stopping boolean not null default false, error text, result json,
  created_at timestamptz not null, heartbeat_at timestamptz not null, ended_at timestamptz);
create index on backtests (account_id);
create index on backtests (workspace_id);
create index on backtests (created_at);
`
