import type { PgBoss } from 'pg-boss'
import type { QueueName } from './job.ts'

/** The milliseconds until the first job of the queue may start; undefined if no job waits. */
export async function findNextStartMs(boss: PgBoss, queue: QueueName): Promise<number | undefined> {
  const { rows } = await boss.getDb().executeSql(
    `select extract(epoch from min(start_after) - now()) * 1000 as ms from pgboss.job
      where name = $1 and state < 'active'`,
    [queue],
  )
  const [row]: { ms: string | null }[] = rows
  return row?.ms == null ? undefined : Number(row.ms)
}
