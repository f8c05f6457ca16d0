import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { ClientBase } from 'pg'
import type { Job, PgBoss, QueuePolicy } from 'pg-boss'
import { connectionOptions } from '../core/connection-options.ts'
import type { Notifications } from '../core/notifications.ts'
import { unpack } from '../core/packing.ts'
import { idleTimeoutMillis } from '../core/pool.ts'
import type { Tables } from '../core/tables.ts'
import { type ClaimedJob, type QueueName, queues } from './job.ts'
import { type Pump, type PumpOptions, startPump } from './pump.ts'
import { QueuePasses } from './queue-passes.ts'

const policies: Record<QueueName, QueuePolicy> = {
  evaluate: 'standard',
  'evaluate-ordered': 'key_strict_fifo',
  deliver: 'standard',
  policy: 'standard',
  mail: 'standard',
}

export type WorkOptions = { batchSize: number; concurrency: number }
export type JobQueue = {
  pgBoss(): PgBoss
  start(options: { supervise: boolean; warn(line: string): void }): Promise<void>
  work<T>(queue: QueueName, options: WorkOptions, handle: (jobs: ClaimedJob<T>[]) => Promise<void>): Promise<void>
  /** Handles jobs one by one, at most `slots` at a time, so that a slow job does not delay the others. */
  pump<T>(queue: QueueName, options: PumpOptions, handle: (job: ClaimedJob<T>) => Promise<void>): Pump
  /** This process has added jobs to the queue. Inside a transaction the store calls it after the commit. */
  noteAdded(queue: QueueName): void
  /** A job of the queue starts at this time: the pumps of this process read the queue then. */
  noteStart(queue: QueueName, at: Date): void
  stop(): Promise<void>
}

/** A failed job is retried until it succeeds, because giving up would lose the matches in its data. */
const retriesMax = 1_000_000

const queueOptions = {
  retryLimit: retriesMax,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  // A chunk of slow runs may take long. A missing heartbeat, not this limit, shows that a process died.
  expireInSeconds: 3_600,
  heartbeatSeconds: 10,
  deleteAfterSeconds: 60,
  retentionSeconds: 10 * 365 * 86_400,
  notify: true,
}

/**
 * pg-boss makes over 60 transactions for each pass over the queues: it measures them, fails the jobs of dead processes, and
 * deletes finished jobs. One statement of our own, asked more often, shows whether there are jobs of a dead process, or jobs
 * that wait although they are due.
 */
const maintenanceSeconds = 15
const findExpiredMs = 2_500
/**
 * The connections of pg-boss claim jobs, send heartbeats and delete finished jobs. Their commits need not wait until the disk
 * has them: if the server crashes and forgets a claim, the job is claimed again, and the result of the first claim is refused.
 */
const poolOptions = {
  idleTimeoutMillis,
  onConnect: (client: ClientBase) => client.query('set synchronous_commit = off'),
}
/** How often a queue is read while notices arrive, and while they do not. */
const pollNotifiedMs = 30_000
const pollMs = 500
/** The other processes claim the jobs that are still there after this time. A claim that finds nothing costs as much as one that does. */
const othersWaitMs = 100

/** `start` loads pg-boss and connects, not this function: exporting and migrating need no jobs. */
export function makeJobQueue(url: string, db: Kysely<Tables>, notifications: Notifications): JobQueue {
  let started: PgBoss | undefined
  let warnLine: (line: string) => void = () => undefined
  let stopSupervising = async () => {}
  const pumps: { queue: QueueName; pump: Pump }[] = []
  const passes = new QueuePasses(performance.now())
  /** The queues whose notices wait. Many notices in this time cause one claim. */
  const noticed = new Set<string | undefined>()
  const wake = (name?: string) => {
    // Without a name the process has just connected.
    if (name !== undefined) passes.noteWork(performance.now())
    for (const { queue, pump } of pumps) if (name === undefined || queue === name) pump.wake()
  }
  /** The process that added a job is woken by its own commit. It claims the job first, because it has in memory what the job needs. */
  const wakeLater = (name?: string) => {
    if (noticed.has(name)) return
    noticed.add(name)
    setTimeout(() => {
      noticed.delete(name)
      wake(name)
    }, othersWaitMs).unref()
  }
  /** Returns the time to the next poll: jobs that start later cause no notice, so the pump wakes up for the first of them. */
  const findPollMs = async (queue: QueueName) => {
    if (!notifications.isUp) return pollMs
    const nextMs = await findNextStartMs(db, queue)
    // A job that may start already and was not claimed waits for another one of its key or group.
    return nextMs !== undefined && nextMs <= 0 ? pollMs : Math.min(pollNotifiedMs, nextMs ?? pollNotifiedMs)
  }
  const pgBoss = () => {
    if (!started) throw new Error('The job queue is not started')
    return started
  }
  return {
    pgBoss,
    async start({ supervise, warn }) {
      const boss = await startPgBoss(url, warn)
      started = boss
      warnLine = warn
      if (supervise) stopSupervising = superviseJobs(boss, { db, everyMs: findExpiredMs, passes, wake, warn })
    },
    pump(queue, options, handle) {
      // pg-boss notifies only its own workers of new jobs, so the pumps listen on the same channel.
      if (pumps.length === 0) notifications.listen(jobsChannel, wakeLater)
      const pump = startPump(
        pgBoss(),
        queue,
        {
          findPollMs: () => findPollMs(queue),
          isOrdered: policies[queue] !== 'standard',
          ...options,
          warn: warnLine,
        },
        handle,
      )
      pumps.push({ queue, pump })
      return pump
    },
    noteAdded: wake,
    noteStart(queue, at) {
      for (const each of pumps) if (each.queue === queue) each.pump.wakeAt(at)
    },
    async work(queue, { batchSize, concurrency }, handle) {
      const options = {
        batchSize,
        localConcurrency: concurrency,
        notifyPollingIntervalSeconds: pollNotifiedMs / 1_000,
        pollingIntervalSeconds: pollMs / 1_000,
        burstWhenBatchFull: true,
      }
      await pgBoss().work(queue, options, async (jobs: Job<never>[]) => {
        await handle(
          jobs.map(({ id, retryCount, data, signal }) => ({ queue, id, retryCount, data: unpack(data), signal })),
        )
      })
    },
    async stop() {
      await stopSupervising()
      await Promise.all(pumps.splice(0).map(({ pump }) => pump.stop()))
      if (started) await stopPgBoss(started)
      started = undefined
    },
  }
}

/** Creates the tables of pg-boss where they are missing. */
export async function installJobs(url: string): Promise<void> {
  const boss = await startPgBoss(url, () => {})
  await stopPgBoss(boss)
}

async function startPgBoss(url: string, warn: (line: string) => void): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    ...connectionOptions(url),
    ...poolOptions,
    max: 4,
    useListenNotify: true,
    notifyHeartbeatIntervalMs: pollNotifiedMs,
    // `superviseJobs` asks for the passes over the queues.
    supervise: false,
    // Not longer than `findExpiredMs`, because pg-boss refuses a pass that comes earlier.
    monitorIntervalSeconds: 1,
    // Less than the time between two passes, so that pg-boss refuses none of them.
    maintenanceIntervalSeconds: maintenanceSeconds,
    // No job waits for another one, so there is nothing to find.
    flowIntervalSeconds: 3_600,
    schedule: false,
  })
  boss.on('error', (error: Error) => warn(`jobs: ${error.message}`))
  await boss.start()
  for (const name of queues) await openQueue(boss, name)
  return boss
}

function stopPgBoss(boss: PgBoss): Promise<void> {
  return boss.stop({ graceful: true, close: true, timeout: 5_000 })
}

async function openQueue(boss: PgBoss, name: QueueName): Promise<void> {
  if (await boss.getQueue(name)) await boss.updateQueue(name, queueOptions)
  else await boss.createQueue(name, { policy: policies[name], partition: true, ...queueOptions })
}

/** The channel on which pg-boss reports new jobs; the payload is the queue. */
const jobsChannel = `pgboss_${createHash('sha224').update('pgboss').digest('hex').slice(0, 24)}`

type Options = {
  db: Kysely<Tables>
  everyMs: number
  passes: QueuePasses
  wake(queue: string): void
  warn(line: string): void
}

/**
 * Fails the jobs whose process stopped sending heartbeats, so that they are retried, and wakes the pumps of their queues.
 * Wakes the pumps of queues with jobs that nobody claimed, for example because their process died. Also lets pg-boss pass over all queues when that is due. Returns the function that stops it.
 */
function superviseJobs(boss: PgBoss, { db, everyMs, passes, wake, warn }: Options): () => Promise<void> {
  let running: Promise<void> | undefined
  const failExpired = async () => {
    for (const { name, isExpired } of await findNeglectedQueues(db)) {
      if (isExpired) await boss.supervise(name)
      wake(name)
    }
    if (passes.isDue(performance.now())) await boss.supervise()
  }
  const timer = setInterval(() => {
    running ??= failExpired()
      .catch((error: unknown) => warn(`jobs: supervising the queues failed; it will be retried: ${String(error)}`))
      .finally(() => {
        running = undefined
      })
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}

const names = sql.join(queues.map((name) => sql.lit(name)))

/**
 * A queue has expired jobs, or jobs that have been due for a second. On our own connections and without parameters, so that
 * PostgreSQL plans it once: planning it for the partitions of all queues takes 2 to 3 ms, running it 0.1 ms.
 */
async function findNeglectedQueues(db: Kysely<Tables>): Promise<{ name: string; isExpired: boolean }[]> {
  const { rows } = await sql<{ name: string; isExpired: boolean }>`
    select name, "isExpired" from unnest(array[${names}]) as queue (name),
      lateral (select exists (select from pgboss.job j where j.name = queue.name and state = 'active'
          and heartbeat_on + heartbeat_seconds * interval '1 second' < now()) as "isExpired",
        exists (select from pgboss.job j where j.name = queue.name and state < 'active'
          and start_after < now() - interval '1 second') as "isLate") as found
      where "isExpired" or "isLate"`.execute(db)
  return rows
}

/** The milliseconds until the first job of the queue may start; undefined if no job waits. */
export async function findNextStartMs(db: Kysely<Tables>, queue: QueueName): Promise<number | undefined> {
  const { rows } = await sql<{ ms: string | null }>`
    select extract(epoch from min(start_after) - now()) * 1000 as ms from pgboss.job
      where name = ${queue} and state < 'active'`.execute(db)
  const ms = rows[0]?.ms
  return ms == null ? undefined : Number(ms)
}
