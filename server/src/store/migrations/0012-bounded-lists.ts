import { type Kysely, sql } from 'kysely'

/**
 * Late deliveries, so that a list of pending alerts need not read all deliveries that wait (`alert-status.ts`), and indexes
 * for the combinations of filters and for the rows that expire.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table deliveries add column is_late boolean not null default false',
  `create index deliveries_fresh on deliveries (created_at)
    where status = 'pending' and kind = 'alert' and not is_late`,

  // `first-alerts.ts` explains the key. Alerts of a deleted subscription begin with the id of their account.
  `create index alerts_by_leaf on alerts (((coalesce(subscription_id, account_id) || ' ' || coalesce(trigger_id, '')
    || ' ' || workspace_id) collate "C"), status, seq)`,
  'drop index alerts_by_subscription',
  `create or replace function forget_subscriptions() returns trigger language plpgsql as $$
    begin
      update alerts set subscription_id = null
      where ((coalesce(subscription_id, account_id) || ' ' || coalesce(trigger_id, '') || ' ' || workspace_id)
        collate "C") between old.id || ' ' and old.id || '!';
      return null;
    end $$`,

  // The rows that retention may delete, oldest first. Alerts that stay longer are not in the index, so it does not pass them.
  `create index alerts_expiring on alerts (created_at)
    where status <> 'collected' and (delivery_key is null or subscription_id is null)`,
  'drop index alerts_created_at_idx',
  // Not B-trees: PostgreSQL would read them in order for a page of one trigger's log, past the entries of all others.
  'create index on trigger_logs using brin (last_seen_at)',
  'create index on source_logs using brin (at)',
  'create index on trigger_events (at)',
  "create index on tokens (expires_at) where kind = 'session'",
]
