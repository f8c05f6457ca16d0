import { type Kysely, sql } from 'kysely'

/**
 * Who an account is at the identity provider, and whether somebody has shown that its address is theirs. Accounts
 * without a password were made by the provider, which vouched for their address; the first account, the operator's, is
 * the one that may lack a password for another reason.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table identities (
    issuer text not null, subject text not null, account_id text not null references accounts on delete cascade,
    created_at timestamptz not null, primary key (issuer, subject))`,
  'create index on identities (account_id)',
  `alter table accounts add column email_verified_at timestamptz,
    add column is_first boolean not null default false`,
  'update accounts set is_first = true where id = (select id from accounts order by created_at, id limit 1)',
  'update accounts set email_verified_at = created_at where password_hash is null and not is_first',
]
