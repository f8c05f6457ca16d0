import { type Kysely, sql } from 'kysely'

/** The values that policies compared with a bound or with earlier values, key by key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table policy_values (
    subscription_id text not null, rule_id text not null, key text not null, slot timestamptz not null,
    at timestamptz not null, value text not null, bound text, until text,
    source text, block_hash text, incarnation integer, recorded_at timestamptz not null,
    primary key (subscription_id, rule_id, key, slot))`,
  'create index on policy_values (source, block_hash) where source is not null',
  'create index on policy_values (recorded_at)',
  // Not a foreign key: PostgreSQL would look for the subscription of each value. The commit that adds values has locked it.
  `create function delete_policy_values() returns trigger language plpgsql as $$
    begin
      delete from policy_values where subscription_id = old.id;
      return null;
    end $$`,
  `create trigger delete_policy_values after delete on subscriptions for each row
    execute function delete_policy_values()`,
]
