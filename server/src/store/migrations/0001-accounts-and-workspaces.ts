import { type Kysely, sql } from 'kysely'

/**
 * Accounts, workspaces and what belongs to them. Columns named `hash` or `*_hash` hold hashes; the other columns of type bytea
 * hold what the secret box sealed. json, not jsonb, keeps the order in which a tenant wrote the fields of a schema. Names are
 * sorted by their bytes, whatever the locale of the database.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db)
}

const statements = `
create table settings (key text primary key, value text not null);

create table accounts (
  id text primary key, email text not null, email_key text not null unique, name text not null, password_hash text,
  created_at timestamptz not null, updated_at timestamptz not null,
  email_verified_at timestamptz, is_first boolean not null default false);

create table addresses (
  id text primary key, account_id text not null references accounts on delete cascade, type text not null,
  address text not null, normal text not null, alias text collate "C" not null,
  version integer not null default 1, created_at timestamptz not null, updated_at timestamptz not null,
  constraint addresses_normal unique (account_id, type, normal),
  constraint addresses_alias unique (account_id, alias));

-- A request that reaches the network claims its Idempotency-Key in a commit of its own, before it has a reply. The claim
-- is a lease: the process renews it while the request runs, and another may take it once it has expired.
create table idempotency_keys (
  account_id text not null references accounts on delete cascade, scope text not null, key text not null,
  status integer, reply bytea, created_at timestamptz not null, claim_id text, claimed_until timestamptz,
  request_hash text, size integer not null default 0,
  primary key (account_id, scope, key));
create index on idempotency_keys (created_at);
create index idempotency_keys_sizes on idempotency_keys (account_id) include (size);

-- Who an account is at the identity provider.
create table identities (
  issuer text not null, subject text not null, account_id text not null references accounts on delete cascade,
  created_at timestamptz not null, primary key (issuer, subject));
create index on identities (account_id);

-- A link that sets a new password proves one address, the one that it was mailed to: email_key.
create table password_resets (
  hash bytea primary key, account_id text not null references accounts on delete cascade,
  created_at timestamptz not null, expires_at timestamptz not null, email_key text);
create index on password_resets (account_id);
create index on password_resets (expires_at);
create table totps (
  account_id text primary key references accounts on delete cascade, secret bytea not null,
  created_at timestamptz not null, confirmed_at timestamptz, last_step integer not null default 0);
create table recovery_codes (
  account_id text not null references accounts on delete cascade, hash bytea not null, primary key (account_id, hash));
create table passkeys (
  id text primary key, account_id text not null references accounts on delete cascade, name text not null,
  public_key text not null, counter bigint not null, created_at timestamptz not null, last_used_at timestamptz);
create index on passkeys (account_id);
-- Values that the service made for one sign-in each. They are deleted when they are used.
create table challenges (hash bytea primary key, kind text not null, data bytea not null, expires_at timestamptz not null);
create index on challenges (expires_at);

-- Where an account and its tokens were used. subject is the id of a token, or sign-in; hash is a keyed hash of the place;
-- told_at is the time when the owner was told of it.
create table account_places (
  account_id text not null references accounts on delete cascade, subject text not null, hash text not null,
  last_seen_at timestamptz not null, told_at timestamptz, primary key (account_id, subject, hash));
create index on account_places (last_seen_at);

create table workspaces (
  id text primary key, fullname text collate "C" not null unique, tags json not null, labels json not null,
  meta json not null, invite bytea not null, invite_hash bytea not null,
  version integer not null default 1, created_at timestamptz not null, updated_at timestamptz not null);
create table members (
  id text primary key, workspace_id text not null references workspaces on delete cascade,
  account_id text not null references accounts on delete cascade,
  level text not null check (level in ('owner', 'admin', 'developer', 'user')),
  created_at timestamptz not null, updated_at timestamptz not null,
  unique (workspace_id, account_id));
create index on members (account_id);
create index on members (workspace_id, id);
create table invitations (
  id text primary key, workspace_id text not null references workspaces on delete cascade,
  email text not null, email_key text not null, level text not null, hash bytea not null unique,
  invited_by text not null, invited_by_name text not null, expires_at timestamptz not null,
  accepted_at timestamptz, revoked_at timestamptz, created_at timestamptz not null);
create index invitations_workspace on invitations (workspace_id, id);

-- No scopes mean all, also those that come later. A token may be bound to one workspace.
create table tokens (
  id text primary key, account_id text not null references accounts on delete cascade,
  kind text not null check (kind in ('session', 'personal')), name text not null, hash bytea not null unique,
  created_at timestamptz not null, expires_at timestamptz, last_used_at timestamptz,
  scopes text[], workspace_id text references workspaces on delete cascade,
  ip text not null default '', user_agent text not null default '');
create index on tokens (account_id);
create index on tokens (expires_at) where kind = 'session';
create index tokens_personal on tokens (account_id, id) where kind = 'personal';
create index tokens_workspace on tokens (workspace_id) where workspace_id is not null;
create index tokens_sessions on tokens (account_id, id) where kind = 'session';

-- The log keeps the name that the actor had, and outlives the account. seq orders entries of the same millisecond.
create table audit_entries (
  id text primary key, seq bigint generated always as identity,
  workspace_id text not null references workspaces on delete cascade, at timestamptz not null,
  actor_id text not null, actor_name text not null, action text not null, fullname text not null,
  paths text[] not null, ip text not null);
create index audit_entries_newest on audit_entries (workspace_id, at desc, seq desc);
create index audit_entries_actor on audit_entries (workspace_id, actor_id, at desc, seq desc);
create index audit_entries_action on audit_entries (workspace_id, action, at desc, seq desc);
create index audit_entries_at on audit_entries (at);

create table address_lists (
  id text primary key, workspace_id text not null references workspaces on delete cascade, name text not null,
  fullname text collate "C" not null unique, type text not null, addresses json not null, count integer not null,
  meta json not null, version integer not null default 1,
  created_at timestamptz not null, updated_at timestamptz not null, stack text);
create index on address_lists (workspace_id);

-- What the last apply of a stack wrote. The payload is sealed, because it contains secrets.
create table stack_entities (
  workspace_id text not null references workspaces on delete cascade, stack text not null, kind text not null,
  name text collate "C" not null, payload bytea not null, applied_at timestamptz not null,
  primary key (workspace_id, stack, kind, name));
`
