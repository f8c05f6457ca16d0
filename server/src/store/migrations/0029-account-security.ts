import { type Kysely, sql } from 'kysely'

/**
 * Passwords that are reset by e-mail, where a session comes from, and the second factors of an account. Columns named
 * `hash` hold SHA-256 of a random secret, `secret` and `data` what the secret box sealed. A challenge is a value that the
 * service made for one sign-in: it is deleted when it is used.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const ofAccount = 'account_id text not null references accounts on delete cascade'

const statements = [
  "alter table tokens add column ip text not null default '', add column user_agent text not null default ''",
  "create index tokens_sessions on tokens (account_id, id) where kind = 'session'",
  `create table password_resets (
    hash bytea primary key, ${ofAccount}, created_at timestamptz not null, expires_at timestamptz not null)`,
  'create index on password_resets (account_id)',
  'create index on password_resets (expires_at)',
  `create table totps (
    account_id text primary key references accounts on delete cascade, secret bytea not null,
    created_at timestamptz not null, confirmed_at timestamptz, last_step integer not null default 0)`,
  `create table recovery_codes (${ofAccount}, hash bytea not null, primary key (account_id, hash))`,
  `create table passkeys (
    id text primary key, ${ofAccount}, name text not null, public_key text not null, counter bigint not null, created_at timestamptz not null, last_used_at timestamptz)`,
  'create index on passkeys (account_id)',
  `create table challenges (
    hash bytea primary key, kind text not null, data bytea not null, expires_at timestamptz not null)`,
  'create index on challenges (expires_at)',
]
