import { type Kysely, sql } from 'kysely'

/**
 * The alerts of deleted triggers are in the index of leaves by their project. Before, those of all projects were in one leaf,
 * so a list of one project read all of them. `first-alerts.ts` explains the key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const leafKey = `((coalesce(subscription_id, account_id) || ' ' || coalesce(trigger_id, project_id, '') || ' ' || workspace_id)
  collate "C")`

const statements = [
  'drop index alerts_by_leaf',
  `create index alerts_by_leaf on alerts (${leafKey}, status, seq)`,
  'drop index alerts_serious_by_leaf',
  `create index alerts_serious_by_leaf on alerts (${leafKey}, severity, status, seq) where severity <> 'info'`,
  `create or replace function forget_subscriptions() returns trigger language plpgsql as $$
    begin
      update alerts set subscription_id = null where ${leafKey} between old.id || ' ' and old.id || '!';
      return null;
    end $$`,
  // Without statistics of its new expressions PostgreSQL would guess how many alerts a leaf has.
  'analyze alerts',
]
