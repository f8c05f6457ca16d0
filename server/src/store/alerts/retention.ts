import { type RawBuilder, sql } from 'kysely'
import type { Base } from '../core/base.ts'

/**
 * The condition does not say `status = 'pending'`, because PostgreSQL might then read all pending deliveries. `offset 0`
 * prevents a join: if PostgreSQL has counted few rows so far, it might read all deliveries for each alert.
 */
const isWaiting = sql<boolean>`exists (select from deliveries d
  where d.alert_id = alerts.id and d.kind = 'alert' and d.status not in ('delivered', 'dead', 'dropped') offset 0)`

/** The rows of one delete statement. A longer one would hold locks that others wait for. */
const stepRows = 1_000

/** Deletes expired rows, one batch per call. Each table has an index on the time, so a batch reads few other rows. */
export function retentionTable({ db }: Base) {
  const step = async (table: string, condition: RawBuilder<unknown>) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where id = any(array(
        select id from ${sql.table(table)} where ${condition} limit ${sql.lit(stepRows)} for update skip locked))`.execute(
      db,
    )
    return Number(numAffectedRows ?? 0n)
  }
  return {
    stepRows,
    /**
     * Deletes alerts with their deliveries. Alerts that wait for finality, for delivery or for a digest stay. An alert with a delivery key
     * stays as long as its subscription, because it prevents a second alert for a "once" delivery mode.
     */
    dropAlerts(before: Date): Promise<number> {
      return step(
        'alerts',
        sql`created_at < ${before} and status <> 'collected' and status <> 'waiting'
          and (delivery_key is null or subscription_id is null) and not ${isWaiting} order by created_at`,
      )
    },
    dropTriggerLogs(before: Date): Promise<number> {
      return step('trigger_logs', sql`last_seen_at < ${before}`)
    },
    dropSourceLogs(before: Date): Promise<number> {
      return step('source_logs', sql`at < ${before}`)
    },
    dropAuditEntries(before: Date): Promise<number> {
      return step('audit_entries', sql`at < ${before}`)
    },
    /** If no engine ran for this time, these events are not published. */
    dropTriggerEvents(before: Date): Promise<number> {
      return step('trigger_events', sql`at < ${before}`)
    },
    dropHealthEvents(before: Date): Promise<number> {
      return step('health_events', sql`at < ${before}`)
    },
    dropChanges(before: Date): Promise<number> {
      return step('changes', sql`at < ${before}`)
    },
  }
}
