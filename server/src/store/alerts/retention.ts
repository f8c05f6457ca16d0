import { sql } from 'kysely'
import type { Base } from '../core/base.ts'
import { isWaiting } from './deliveries.ts'

/** The rows of one delete statement. A longer one would hold locks that others wait for. */
const stepRows = 1_000

/** Deletes expired rows, one batch per call. */
export function retentionTable({ db }: Base) {
  const step = async (table: string, key: string, condition: ReturnType<typeof sql<boolean>>): Promise<number> => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ${sql.ref(key)} in (
        select ${sql.ref(key)} from ${sql.table(table)} where ${condition} limit ${stepRows} for update skip locked)
    `.execute(db)
    return Number(numAffectedRows ?? 0n)
  }
  return {
    stepRows,
    /**
     * Deletes alerts with their deliveries. Alerts that wait for delivery or for a digest stay. An alert with a delivery key
     * stays as long as its subscription, because it prevents a second alert for a "once" delivery mode.
     */
    dropAlerts(before: Date): Promise<number> {
      const isOver = sql<boolean>`created_at < ${before} and status <> 'collected' and not ${isWaiting('alerts')}`
      return step('alerts', 'id', sql`${isOver} and (delivery_key is null or subscription_id is null)`)
    },
    dropTriggerLogs(before: Date): Promise<number> {
      return step('trigger_logs', 'id', sql`last_seen_at < ${before}`)
    },
    dropSourceLogs(before: Date): Promise<number> {
      return step('source_logs', 'id', sql`at < ${before}`)
    },
    /** If no engine ran for this time, these events are not published. */
    dropTriggerEvents(before: Date): Promise<number> {
      return step('trigger_events', 'id', sql`at < ${before}`)
    },
    dropChanges(before: Date): Promise<number> {
      return step('changes', 'id', sql`at < ${before}`)
    },
  }
}
