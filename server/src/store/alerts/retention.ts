import { sql } from 'kysely'
import type { Base } from '../core/base.ts'
import { isWaiting } from './deliveries.ts'

/** So many rows go at a time: a long delete would hold what others wait for. */
const stepRows = 1_000

/** What was kept long enough goes, a few rows a step, until nothing is left or the steps are used up. */
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
     * With their deliveries. What is still to be delivered or collected stays, and so does, while its subscription does,
     * what says that something was told already: without it, what is told once would be told again.
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
    /** Where no engine ran for so long, nobody is told any more. */
    dropTriggerEvents(before: Date): Promise<number> {
      return step('trigger_events', 'id', sql`at < ${before}`)
    },
    dropChanges(before: Date): Promise<number> {
      return step('changes', 'id', sql`at < ${before}`)
    },
  }
}
