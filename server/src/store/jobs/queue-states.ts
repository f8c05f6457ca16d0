import { sql } from 'kysely'
import type { Base } from '../core/base.ts'
import { queues } from './job.ts'

export type QueueState = { queue: string; depth: number; oldestSeconds: number }

/** A queue is counted no further than this, so that the cost of reading it is bounded. */
const depthMax = 100_000

/** How much work waits. Work that is not due yet, such as a retry or a timer, does not count. */
export function queueStatesTable({ db }: Base) {
  return {
    /** The queues of jobs, and the deliveries that are due, which have no jobs of their own. */
    async list(at: Date): Promise<QueueState[]> {
      const { rows } = await sql<QueueState>`
        select q.name as queue, (w.due + a.active)::int as depth, w.oldest as "oldestSeconds"
        from unnest(${[...queues]}::text[]) q (name),
        lateral (select count(*) as due, ${ageOf(sql`now()`, sql`start_after`)} as oldest from (
          select start_after from pgboss.job where name = q.name and state < 'active' limit ${depthMax}) j
          where start_after <= now()) w,
        lateral (select count(*) as active from (
          select 1 from pgboss.job where name = q.name and state = 'active' limit ${depthMax}) j) a
        union all
        select 'deliveries', count(*)::int, ${ageOf(sql`${at}::timestamptz`, sql`due_at`)} from (
          select due_at from deliveries where status = 'pending' limit ${depthMax}) d
        where due_at <= ${at}`.execute(db)
      return rows
    },
  }
}

function ageOf(now: ReturnType<typeof sql>, start: ReturnType<typeof sql>) {
  return sql`coalesce(extract(epoch from ${now} - min(${start})), 0)::float8`
}
