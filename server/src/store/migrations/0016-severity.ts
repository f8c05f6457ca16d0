import { type Kysely, sql } from 'kysely'

/**
 * The severity of alerts. Its indexes hold only alerts that are more serious than `info`, so that they cost nothing for
 * the others; `first-alerts.ts` says how a list uses them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const leafKey = `((coalesce(subscription_id, account_id) || ' ' || coalesce(trigger_id, '') || ' ' || workspace_id)
  collate "C")`
const ranges = {
  workspace: 'workspace_id',
  account: 'account_id, workspace_id',
  trigger: 'trigger_id, workspace_id',
  project: 'project_id, workspace_id',
  leaf: leafKey,
}

const statements = [
  "alter table alerts add column severity text not null default 'info'",
  ...Object.entries(ranges).map(
    ([name, columns]) => `create index alerts_serious_by_${name} on alerts (${columns}, severity, status, seq)
      where severity <> 'info'`,
  ),
]
