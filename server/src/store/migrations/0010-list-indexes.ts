import { type Kysely, sql } from 'kysely'

/**
 * Indexes for every filter of a list. Those of alerts all end in (workspace_id, status, seq), which `first-alerts.ts`
 * explains; they replace indexes without the status, so an alert enters one index more than before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'create index alerts_by_workspace on alerts (workspace_id, status, seq)',
  'create index alerts_by_account on alerts (account_id, workspace_id, status, seq)',
  'create index alerts_by_trigger on alerts (trigger_id, workspace_id, status, seq)',
  'create index alerts_by_project on alerts (project_id, workspace_id, status, seq)',
  'create index alerts_by_subscription on alerts (subscription_id, workspace_id, status, seq)',
  'drop index alerts_workspace_id_seq_idx',
  'drop index alerts_account_id_seq_idx',
  'drop index alerts_trigger_id_seq_idx',
  'drop index alerts_subscription_id_seq_idx',
  // A digest policy reads the alerts that it collected, oldest first.
  "create index alerts_collected on alerts (subscription_id, seq) where status = 'collected'",

  'create index on subscriptions (account_id, project_id, seq)',
  'create index on subscriptions (account_id, trigger_id, seq)',
  'create index on subscriptions (workspace_id, project_id, seq)',
  'create index on subscriptions (workspace_id, trigger_id, seq)',

  'create index on trigger_logs (trigger_id, status, last_seen_at)',
  "create index source_logs_warnings on source_logs (source_id, at) where level in ('warn', 'error')",
  "create index source_logs_errors on source_logs (source_id, at) where level = 'error'",
]
