import { type Kysely, sql } from 'kysely'

/**
 * The sources, how far each was followed, and what triggers remember of their blocks. Rows of the engine refer to sources
 * and other entities by id or name, so that a transfer need not touch them. Jobs are pg-boss's, in its own schema.
 *
 * Some tables have few rows that change every second. By default PostgreSQL vacuums and analyses such a table after 50
 * changes, four times a minute, also while nothing happens; so theirs wait for 2,000 changes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db)
}

const statements = `
create table custom_sources (
  id text primary key, workspace_id text not null references workspaces, name text not null,
  fullname text collate "C" not null unique, public boolean not null, kind text not null, endpoints bytea not null,
  settings json not null, substrate json, meta json not null, status json not null, runtime json,
  revision integer not null,
  version integer not null default 1, created_at timestamptz not null, updated_at timestamptz not null, stack text)
  with (autovacuum_vacuum_threshold = 2000, autovacuum_analyze_threshold = 2000);
create index on custom_sources (workspace_id);
create index custom_sources_public on custom_sources (fullname) where public;

create table source_logs (
  id bigint generated always as identity primary key,
  source_id text not null references custom_sources on delete cascade, at timestamptz not null,
  level text not null check (level in ('info', 'warn', 'error')), message text not null, details json);
create index on source_logs (source_id, at);
create index source_logs_warnings on source_logs (source_id, at) where level in ('warn', 'error');
create index source_logs_errors on source_logs (source_id, at) where level = 'error';
-- Not a B-tree, for the same reason as the index of trigger_logs.
create index on source_logs using brin (at);
-- How each source was doing, once a minute: head, lag, and the calls to each of its endpoints.
create table source_minutes (
  source text not null, minute timestamptz not null, status text not null, head bigint, processed bigint, lag bigint,
  head_age_ms bigint, endpoints json not null, primary key (source, minute));
create index on source_minutes (minute);

-- The processes that follow sources. Each renews its row, so that all of them know how many share the sources.
create table engine_processes (
  id text primary key, joined_at timestamptz not null, lease_until timestamptz not null, lacks integer not null)
  with (autovacuum_vacuum_threshold = 2000, autovacuum_analyze_threshold = 2000);
-- One row for each followed source. The epoch fences a process that lost the lease; number and hash are the checkpoint,
-- and read_at is the time up to which its blocks were read.
create table followers (
  source text primary key, owner text, lease_until timestamptz, epoch bigint not null default 0,
  revision integer not null default 0, number bigint, hash text, head bigint, head_at timestamptz,
  finalized bigint, state json, updated_at timestamptz not null, number_at timestamptz, read_at timestamptz)
  with (autovacuum_vacuum_threshold = 2000, autovacuum_analyze_threshold = 2000);
-- The applied blocks that may still be replaced, and those that were. A block that comes back is another incarnation.
create table source_blocks (
  source text not null, hash text not null, number bigint not null, parent_hash text not null,
  incarnation integer not null default 0, undone_at timestamptz, primary key (source, hash));
create index on source_blocks (source, number);
create table timers (
  trigger_id text primary key references triggers on delete cascade, ticked_at timestamptz not null);

-- The factories of triggers, how far their blocks were read, and the contracts that they created. from_block is null until
-- the source is followed, if the save knew no block of it.
create table trigger_factories (
  trigger_id text not null references triggers on delete cascade, source text not null, factory text not null,
  from_block bigint, learned_to bigint, is_learned boolean not null default false,
  primary key (trigger_id, source, factory));
create index on trigger_factories (source);
create index on trigger_factories (source) where not is_learned;
create table factory_members (
  trigger_id text not null, source text not null, factory text not null, address text not null,
  block_number bigint not null, block_hash text not null, primary key (trigger_id, source, factory, address),
  foreign key (trigger_id, source, factory) references trigger_factories on delete cascade);
create index on factory_members (source, block_number);

-- Answers of other services and of chains, kept until they expire: ABIs of contracts and names of addresses.
create table look_ups (
  kind text not null, key text not null, value json not null, expires_at timestamptz not null,
  primary key (kind, key));
create index on look_ups (expires_at);

-- Subscriptions that run over past blocks before they are live.
create table histories (
  subscription_id text primary key references subscriptions on delete cascade, source text not null,
  from_block bigint not null, to_block bigint not null, fetched bigint not null, queued bigint not null,
  done bigint not null, generation integer not null default 0, delivers boolean not null, state text not null,
  reason text, created_at timestamptz not null, updated_at timestamptz not null, recorded jsonb);
create index histories_running on histories (source) where state = 'running';

create table state_windows (
  trigger_id text not null references triggers on delete cascade, provider text not null, scope text not null,
  state json not null, source text, block_number bigint, updated_at timestamptz not null,
  primary key (trigger_id, provider, scope));
create index on state_windows (source, block_number);
-- The windows of a history have the scope "history <subscription> <scope>". They are deleted with it, whatever deletes it:
-- a subscription, a workspace, an account.
create index state_windows_of_histories on state_windows (split_part(scope, ' ', 2))
  where starts_with(scope, 'history ');
create function delete_history_windows() returns trigger language plpgsql as $$
  begin
    delete from state_windows
      where starts_with(scope, 'history ') and split_part(scope, ' ', 2) = old.subscription_id;
    return old;
  end $$;
create trigger delete_windows after delete on histories for each row execute function delete_history_windows();
`
