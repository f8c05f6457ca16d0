import { type Kysely, sql } from 'kysely'

/**
 * The resource that is told when deliveries to a resource fail, and the alert that told it of the failure that lasts now.
 * Neither is a foreign key: a resource or an alert that is deleted is simply not found.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table resources add column notify_resource_id text`.execute(db)
  await sql`alter table lanes add column failure_alert_id text`.execute(db)
}
