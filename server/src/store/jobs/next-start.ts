import { type Kysely, sql } from 'kysely'
import type { Tables } from '../core/tables.ts'
import type { QueueName } from './job.ts'

/** The milliseconds until the first job of the queue may start; undefined if no job waits. */
export async function findNextStartMs(db: Kysely<Tables>, queue: QueueName): Promise<number | undefined> {
  const { rows } = await sql<{ ms: string | null }>`
    select extract(epoch from min(start_after) - now()) * 1000 as ms from pgboss.job
      where name = ${queue} and state < 'active'`.execute(db)
  const ms = rows[0]?.ms
  return ms == null ? undefined : Number(ms)
}
