import { type Kysely, sql } from 'kysely'

/** Projects and what is defined in them. Indexes hold each list in its order, so that a page reads its own rows only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db)
}

const statements = `
create table projects (
  id text primary key, workspace_id text not null references workspaces, name text not null,
  fullname text collate "C" not null unique, access_level text not null, visibility text not null,
  tags json not null, labels json not null, meta json not null,
  version integer not null default 1, created_at timestamptz not null, updated_at timestamptz not null);
create index on projects (workspace_id);
create index projects_public on projects (fullname) where access_level <> 'private';
-- Triggers are in the order of their project's name with a dot.
create index projects_public_prefix on projects ((fullname || '.')) where access_level <> 'private';
create table project_secrets (
  id text primary key, project_id text not null references projects on delete cascade,
  name text collate "C" not null, value bytea not null,
  version integer not null default 1, created_at timestamptz not null, updated_at timestamptz not null,
  unique (project_id, name));

create table access_links (
  id text primary key, project_id text not null references projects on delete cascade, hash bytea not null unique,
  token bytea not null, max_usages integer, usages integer not null default 0, expires_at timestamptz,
  revoked_at timestamptz, created_at timestamptz not null, updated_at timestamptz not null);
create index on access_links (project_id, id);
create table access_link_openings (
  link_id text not null references access_links on delete cascade,
  account_id text not null references accounts on delete cascade,
  created_at timestamptz not null, primary key (link_id, account_id));
create index on access_link_openings (account_id);

create table images (
  id text primary key, project_id text references projects on delete cascade,
  workspace_id text references workspaces on delete cascade, file_name text not null, content_type text not null,
  bytes bytea not null, created_at timestamptz not null,
  unique (project_id, file_name), unique (workspace_id, file_name));
create table addons (
  id text primary key, project_id text not null references projects on delete cascade, name text not null,
  state text not null,
  version integer not null default 1, created_at timestamptz not null, updated_at timestamptz not null);
create index on addons (project_id, id);

create table aliases (
  kind text not null check (kind in ('project', 'trigger', 'resource')), fullname text not null,
  target_id text not null, created_at timestamptz not null, primary key (kind, fullname));
create index on aliases (target_id);

create table transfers (
  id text primary key, project_id text references projects on delete set null, project text not null,
  source_workspace_id text references workspaces on delete set null, source_workspace text not null,
  target_workspace_id text references workspaces on delete set null, target_workspace text not null,
  target_name text not null, target_fullname text not null, status text not null, plan_hash text not null,
  counts json not null, requested_by text not null, decided_by text, decided_at timestamptz, applied_at timestamptz,
  reason text, failure_reason text, expires_at timestamptz not null,
  created_at timestamptz not null, updated_at timestamptz not null);
create unique index transfers_one_pending on transfers (project_id) where status = 'pending';
create index on transfers (requested_by, created_at);
create index on transfers (source_workspace_id, status, created_at, id);
create index on transfers (target_workspace_id, status, created_at, id);
create index transfers_pending on transfers (expires_at) where status = 'pending';

create table templates (
  id text primary key, seq bigint generated always as identity,
  project_id text not null references projects on delete cascade, schema json not null, groups json not null,
  topics json not null, rules json not null, meta json not null,
  version integer not null default 1, created_at timestamptz not null, updated_at timestamptz not null,
  stack text, key text);
create index on templates (project_id, seq);
create unique index templates_key on templates (project_id, stack, key) where stack is not null;

-- status_before is the status before the source failed, definition_warning the status that the definition gives, and
-- binding_warning the status while bindings fail: each comes back when what hides it has recovered.
create table triggers (
  id text primary key, project_id text not null references projects on delete cascade, name text not null,
  fullname text collate "C" not null unique, definition json not null, providers bytea not null, data_source text,
  status json not null, tags json not null, labels json not null, meta json not null,
  version integer not null default 1, created_at timestamptz not null, updated_at timestamptz not null,
  status_before json, definition_warning json, binding_warning json);
create index on triggers (project_id);
create index on triggers (data_source);
create index on triggers ((definition->'backend'->>'trigger'));

create table trigger_drafts (
  id text primary key, version integer not null default 1, fullname text collate "C" not null unique,
  project_id text not null references projects on delete cascade, definition bytea not null,
  saved_by text not null, saved_at timestamptz not null);
create index on trigger_drafts (project_id);
-- Every published version of a trigger. The content is sealed, because providers hold keys.
create table trigger_versions (
  trigger_id text not null references triggers on delete cascade, number integer not null,
  project_id text not null references projects on delete cascade, content bytea not null, changed json not null,
  restored_from integer, saved_by text references accounts on delete set null, saved_at timestamptz not null,
  primary key (trigger_id, number));
create index on trigger_versions (project_id);
create index on trigger_versions (saved_by);

-- The sources of triggers on several sources, and why a source fails.
create table trigger_bindings (
  trigger_id text not null references triggers on delete cascade, id text not null, position integer not null,
  source text not null, failure json, primary key (trigger_id, id));
create index on trigger_bindings (source);

create table trigger_logs (
  id bigint generated always as identity primary key, trigger_id text not null references triggers on delete cascade,
  kind text not null, status text not null, reason_code text, message text, count integer not null,
  first_seen_at timestamptz not null, last_seen_at timestamptz not null, channel text, resource text, source text,
  sample json);
create index on trigger_logs (trigger_id, last_seen_at);
create index on trigger_logs (trigger_id, status, last_seen_at);
-- Not a B-tree: PostgreSQL would read it in order for a page of one trigger's log, past the entries of all others.
create index on trigger_logs using brin (last_seen_at);

-- Changes of status, written in the transaction of the change, whatever makes it. An engine reads them and acts.
create table trigger_events (
  id bigint generated always as identity primary key, trigger_id text not null references triggers on delete cascade,
  before json not null, after json not null, at timestamptz not null default now());
create index on trigger_events (trigger_id);
create index on trigger_events (at);
create function note_status() returns trigger language plpgsql as $$
  begin
    insert into trigger_events (trigger_id, before, after) values (new.id, old.status, new.status);
    return null;
  end $$;
create trigger note_status after update of status on triggers for each row
  when (old.status->>'status' is distinct from new.status->>'status') execute function note_status();
`
