import { type Kysely, sql } from 'kysely'

/**
 * Accounts, workspaces and everything they manage. Columns of type bytea hold hashes (`*hash`) or what the secret box
 * sealed; json, not jsonb, keeps the order in which a tenant wrote the fields of a schema; names sort by their bytes,
 * whatever the locale of the database.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const stamps = 'created_at timestamptz not null, updated_at timestamptz not null'
const entity = `version integer not null default 1, ${stamps}`
const tagging = 'tags json not null, labels json not null, meta json not null'

const statements = [
  'create table settings (key text primary key, value text not null)',

  `create table accounts (
    id text primary key, email text not null, email_key text not null unique, name text not null,
    password_hash text, ${stamps})`,
  `create table tokens (
    id text primary key, account_id text not null references accounts on delete cascade,
    kind text not null check (kind in ('session', 'personal')), name text not null, hash bytea not null unique,
    created_at timestamptz not null, expires_at timestamptz, last_used_at timestamptz)`,
  'create index on tokens (account_id)',
  `create table idempotency_keys (
    account_id text not null references accounts on delete cascade, scope text not null, key text not null,
    status integer, reply bytea, created_at timestamptz not null, primary key (account_id, scope, key))`,
  'create index on idempotency_keys (created_at)',
  `create table addresses (
    id text primary key, account_id text not null references accounts on delete cascade, type text not null,
    address text not null, normal text not null, alias text collate "C" not null, ${entity},
    constraint addresses_normal unique (account_id, type, normal),
    constraint addresses_alias unique (account_id, alias))`,

  `create table workspaces (
    id text primary key, fullname text collate "C" not null unique, ${tagging}, invite bytea not null, invite_hash bytea not null,
    ${entity})`,
  `create table members (
    id text primary key, workspace_id text not null references workspaces on delete cascade,
    account_id text not null references accounts on delete cascade,
    level text not null check (level in ('owner', 'admin', 'developer', 'user')), ${stamps},
    unique (workspace_id, account_id))`,
  'create index on members (account_id)',

  `create table projects (
    id text primary key, workspace_id text not null references workspaces, name text not null,
    fullname text collate "C" not null unique, access_level text not null, visibility text not null, ${tagging}, ${entity})`,
  'create index on projects (workspace_id)',
  `create table access_links (
    id text primary key, project_id text not null references projects on delete cascade, hash bytea not null unique,
    token bytea not null, max_usages integer, usages integer not null default 0, expires_at timestamptz,
    revoked_at timestamptz, ${stamps})`,
  'create index on access_links (project_id)',
  `create table access_link_openings (
    link_id text not null references access_links on delete cascade,
    account_id text not null references accounts on delete cascade,
    created_at timestamptz not null, primary key (link_id, account_id))`,
  `create table images (
    id text primary key, project_id text references projects on delete cascade,
    workspace_id text references workspaces on delete cascade, file_name text not null, content_type text not null,
    bytes bytea not null, created_at timestamptz not null,
    unique (project_id, file_name), unique (workspace_id, file_name))`,
  `create table addons (
    id text primary key, project_id text not null references projects on delete cascade, name text not null,
    state text not null, ${entity})`,
  'create index on addons (project_id)',
  `create table aliases (
    kind text not null check (kind in ('project', 'trigger', 'resource')), fullname text not null,
    target_id text not null, created_at timestamptz not null, primary key (kind, fullname))`,
  'create index on aliases (target_id)',
  `create table transfers (
    id text primary key, project_id text references projects on delete set null, project text not null,
    source_workspace_id text references workspaces on delete set null, source_workspace text not null,
    target_workspace_id text references workspaces on delete set null, target_workspace text not null,
    target_name text not null, target_fullname text not null, status text not null, plan_hash text not null,
    counts json not null, requested_by text not null, decided_by text, decided_at timestamptz, applied_at timestamptz,
    reason text, failure_reason text, expires_at timestamptz not null, ${stamps})`,
  "create unique index transfers_one_pending on transfers (project_id) where status = 'pending'",
  'create index on transfers (source_workspace_id)',
  'create index on transfers (target_workspace_id)',
  'create index on transfers (requested_by, created_at)',
  `create table templates (
    id text primary key, seq bigint generated always as identity,
    project_id text not null references projects on delete cascade, schema json not null, groups json not null,
    topics json not null, rules json not null, meta json not null, ${entity})`,
  'create index on templates (project_id, seq)',

  `create table triggers (
    id text primary key, project_id text not null references projects on delete cascade, name text not null,
    fullname text collate "C" not null unique, definition json not null, providers bytea not null, data_source text,
    status json not null, ${tagging}, ${entity})`,
  'create index on triggers (project_id)',
  'create index on triggers (data_source)',
  "create index on triggers ((definition->'backend'->>'trigger'))",
  `create table trigger_drafts (
    id text primary key, version integer not null default 1, fullname text collate "C" not null unique,
    project_id text not null references projects on delete cascade, definition bytea not null,
    saved_by text not null, saved_at timestamptz not null)`,
  'create index on trigger_drafts (project_id)',
  `create table trigger_logs (
    id bigint generated always as identity primary key, trigger_id text not null references triggers on delete cascade,
    kind text not null, status text not null, reason_code text, message text, count integer not null,
    first_seen_at timestamptz not null, last_seen_at timestamptz not null, channel text, resource text, source text,
    sample json)`,
  'create index on trigger_logs (trigger_id, last_seen_at)',

  `create table resources (
    id text primary key, workspace_id text not null references workspaces on delete cascade,
    project_id text references projects on delete cascade, name text not null, fullname text collate "C" not null unique,
    blueprint text not null, ready boolean not null, remark text, data bytea, private bytea, summary json,
    token bytea, token_hash bytea unique, ${tagging}, ${entity})`,
  'create index on resources (workspace_id)',
  'create index on resources (project_id)',
  `create table setup_sessions (
    id text primary key, resource_id text not null references resources on delete cascade, status text not null,
    token_hash bytea not null unique, messenger_user text, expires_at timestamptz not null, ${stamps})`,
  `create unique index setup_sessions_one_active on setup_sessions (resource_id) where status in ('pending', 'claimed')`,

  `create table custom_sources (
    id text primary key, workspace_id text not null references workspaces, name text not null,
    fullname text collate "C" not null unique, public boolean not null, kind text not null, endpoints bytea not null,
    settings json not null, substrate json, meta json not null, status json not null, runtime json,
    revision integer not null, ${entity})`,
  'create index on custom_sources (workspace_id)',
  `create table source_logs (
    id bigint generated always as identity primary key,
    source_id text not null references custom_sources on delete cascade, at timestamptz not null,
    level text not null check (level in ('info', 'warn', 'error')), message text not null, details json)`,
  'create index on source_logs (source_id, at)',
]
