import { type Kysely, sql } from 'kysely'
import type { Tables } from '../core/tables.ts'
import type { QueueName } from './job.ts'

/** `stored` is the data as it is stored, `kept` the same data for the process that handles the job. */
export type ClaimedNewJob = { id: string; group: string | null; priority: number; stored: object; kept: object }

/**
 * Adds jobs as if they had been added and then claimed: pg-boss inserts a job only as unclaimed. Returns the ids of those that
 * were not there before. If the process dies, its heartbeats stop and the jobs are claimed by another one.
 */
export async function addClaimed(
  db: Kysely<Tables>,
  queue: QueueName,
  jobs: readonly ClaimedNewJob[],
): Promise<ReadonlySet<string>> {
  const values = jobs.map(({ id, group, priority, stored }) => ({ id, group, priority, data: stored }))
  const { rows } = await sql<{ id: string }>`
    insert into pgboss.job (id, name, data, priority, group_id, state, started_on, heartbeat_on, keep_until, policy, dead_letter,
      expire_seconds, deletion_seconds, retry_limit, retry_delay, retry_backoff, retry_delay_max, heartbeat_seconds)
    select j.id, q.name, j.data, j.priority, j."group", 'active', now(), now(),
      now() + q.retention_seconds * interval '1 second', q.policy, q.dead_letter, q.expire_seconds, q.deletion_seconds,
      q.retry_limit, q.retry_delay, coalesce(q.retry_backoff, false), q.retry_delay_max, q.heartbeat_seconds
    from json_to_recordset(${JSON.stringify(values)}::json) as j (id uuid, "group" text, priority integer, data jsonb)
      join pgboss.queue q on q.name = ${queue}
    on conflict do nothing returning id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
