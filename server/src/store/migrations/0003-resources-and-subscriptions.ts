import { type Kysely, sql } from 'kysely'

/** Who wants to hear of a trigger, and where alerts go. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db)
}

const statements = `
-- destination_key is a keyed hash of the chat that a resource delivers to: what happens to a chat concerns all its
-- resources. confirmed_at is the time when the receiver of an e-mail resource confirmed the address. notify_resource_id is
-- not a foreign key: a resource that was deleted is not found.
create table resources (
  id text primary key, workspace_id text not null references workspaces on delete cascade,
  project_id text references projects on delete cascade, name text not null, fullname text collate "C" not null unique,
  blueprint text not null, ready boolean not null, remark text, data bytea, private bytea, summary json,
  token bytea, token_hash bytea unique, tags json not null, labels json not null, meta json not null,
  version integer not null default 1, created_at timestamptz not null, updated_at timestamptz not null,
  destination_key text, confirmed_at timestamptz, notify_resource_id text);
create index on resources (workspace_id);
create index on resources (destination_key) where destination_key is not null;
-- An expression, because PostgreSQL might otherwise use this index for the names of one workspace, and sort them.
create index resources_by_project on resources (project_id, (fullname || ''));

-- The bot knows a person by the sessions that the person claimed: messenger_user.
create table setup_sessions (
  id text primary key, resource_id text not null references resources on delete cascade, status text not null,
  token_hash bytea not null unique, messenger_user text, expires_at timestamptz not null,
  created_at timestamptz not null, updated_at timestamptz not null);
create unique index setup_sessions_one_active on setup_sessions (resource_id) where status in ('pending', 'claimed');
create index on setup_sessions (messenger_user, updated_at) where messenger_user is not null;

create table subscriptions (
  id text primary key, seq bigint generated always as identity,
  account_id text not null references accounts on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  project_id text not null references projects on delete cascade,
  template_id text references templates on delete set null, topics json, vals json,
  trigger_id text references triggers on delete set null, inputs json, conditions json,
  policy json, delivery json, overrides json, meta json not null, paused boolean not null default false,
  version integer not null default 1, created_at timestamptz not null, updated_at timestamptz not null,
  stack text, key text);
create index on subscriptions (account_id, seq);
create index on subscriptions (workspace_id, seq);
create index on subscriptions (project_id, seq);
create index on subscriptions (trigger_id);
create index on subscriptions (template_id);
create index on subscriptions (account_id, project_id, seq);
create index on subscriptions (account_id, trigger_id, seq);
create index on subscriptions (workspace_id, project_id, seq);
create index on subscriptions (workspace_id, trigger_id, seq);
create unique index subscriptions_key on subscriptions (workspace_id, stack, key) where stack is not null;
create table subscription_resources (
  subscription_id text not null references subscriptions on delete cascade,
  resource_id text not null references resources on delete cascade, position integer not null,
  primary key (subscription_id, resource_id));
create index on subscription_resources (resource_id);
`
