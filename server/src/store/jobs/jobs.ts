import { sql } from 'kysely'
import { fromKysely } from 'pg-boss'
import type { Base } from '../core/base.ts'
import { pack } from '../core/packing.ts'
import type { ClaimedJob, QueueName } from './job.ts'
import type { JobQueue } from './job-queue.ts'

export type NewJob = {
  /** A UUID derived from the cause, so that adding the same job twice adds one job. */
  id?: string
  data: object
  /** Jobs of an ordered queue with the same key run one after the other. One call must not add two jobs with one key. */
  key?: string
  /** The owner of the work, for example a trigger. A pump limits the slots that one group takes. */
  group?: string
  priority?: number
  startAfter?: Date
}

/** How many lanes one job wakes. */
const wokenMax = 500

/** The queue of this process is told what was added. */
export type JobsBase = Base & { jobQueue: JobQueue }

/** Adds and finishes jobs inside the caller's transaction, so that a crash repeats work and never loses it. */
export function jobsTable({ db, jobQueue }: JobsBase) {
  /** On our own connections, also outside a transaction: those of pg-boss do not wait for the disk. */
  const onOwnConnection = () => ({ db: fromKysely(db) })
  const add = async (queue: QueueName, jobs: readonly NewJob[]): Promise<void> => {
    if (jobs.length === 0) return
    const packed = await Promise.all(
      jobs.map(async ({ id, data, key, group, priority, startAfter }) => ({
        data: await pack(data),
        ...(id !== undefined && { id }),
        ...(key !== undefined && { singletonKey: key }),
        ...(group !== undefined && { group: { id: group } }),
        ...(priority !== undefined && { priority }),
        ...(startAfter !== undefined && { startAfter }),
      })),
    )
    await jobQueue.pgBoss().insert(queue, packed, onOwnConnection())
    jobQueue.noteAdded(queue)
    // pg-boss notifies nobody of jobs that start later.
    for (const { startAfter } of jobs) if (startAfter) jobQueue.noteStart(queue, startAfter)
  }
  return {
    add,
    /** Wakes the delivery lanes of these resources, with one job for many of them. */
    async wakeLanes(resourceIds: Iterable<string>): Promise<void> {
      const all = [...resourceIds]
      const jobs = Array.from({ length: Math.ceil(all.length / wokenMax) }, (_, at) => ({
        data: { resourceIds: all.slice(at * wokenMax, (at + 1) * wokenMax) },
      }))
      await add('deliver', jobs)
    },
    /**
     * The groups of which jobs wait or run. A job that is put back to start later holds up only a queue in which jobs run one
     * after the other.
     */
    async listWaiting(queue: QueueName, groups: readonly string[]): Promise<ReadonlySet<string>> {
      if (groups.length === 0) return new Set()
      const isStarted = queue === 'evaluate-ordered' ? sql`true` : sql`start_after <= now()`
      const { rows } = await sql<{ group: string }>`
        select distinct group_id as "group" from pgboss.job
        where name = ${queue} and state < 'completed' and group_id = any(${[...groups]}) and ${isStarted}`.execute(db)
      return new Set(rows.map(({ group }) => group))
    },
    /** Returns false when the claim expired. Another process may hold the job, so the caller must roll back its work. */
    async finish({
      queue,
      id,
      retryCount,
    }: Pick<ClaimedJob<unknown>, 'queue' | 'id' | 'retryCount'>): Promise<boolean> {
      const done: { affected?: number } = await jobQueue
        .pgBoss()
        .complete(queue, { id, retryCount }, null, onOwnConnection())
      return done.affected === 1
    },
    /**
     * Puts a claimed job back with other data, to start later. It keeps its place: jobs with the same key wait behind it.
     * Returns false when the claim expired. The next claim has a higher retryCount, so this claim cannot finish the job.
     */
    async putBack(
      { queue, id, retryCount }: Pick<ClaimedJob<unknown>, 'queue' | 'id' | 'retryCount'>,
      data: object,
      startAfter: Date,
    ): Promise<boolean> {
      const { numAffectedRows } = await sql`update pgboss.job
        set state = 'retry', data = ${JSON.stringify(await pack(data))}::jsonb, start_after = ${startAfter}
        where name = ${queue} and id = ${id} and state = 'active' and retry_count = ${retryCount}`.execute(db)
      jobQueue.noteStart(queue, startAfter)
      return numAffectedRows === 1n
    },
    /** Finishes several jobs of one queue. Returns the ids of the jobs whose claims were still held. */
    async finishAll(
      queue: QueueName,
      claims: readonly Pick<ClaimedJob<unknown>, 'id' | 'retryCount'>[],
    ): Promise<ReadonlySet<string>> {
      if (claims.length === 0) return new Set()
      const attempts = claims.map(({ id, retryCount }) => ({ id, retryCount }))
      const done: { affected?: number; settled?: string[] } = await jobQueue
        .pgBoss()
        .complete(queue, attempts, null, onOwnConnection())
      if (!done.settled) throw new Error('pg-boss did not return the ids of the finished jobs')
      return new Set(done.settled)
    },
  }
}
