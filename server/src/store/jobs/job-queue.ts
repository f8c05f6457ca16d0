import { createHash } from 'node:crypto'
import type { Job, PgBoss, QueuePolicy } from 'pg-boss'
import { connectionOptions } from '../core/connection-options.ts'
import { unpack } from '../core/packing.ts'
import { type ClaimedJob, type QueueName, queues } from './job.ts'
import { type Pump, type PumpOptions, startPump } from './pump.ts'

const policies: Record<QueueName, QueuePolicy> = {
  evaluate: 'standard',
  'evaluate-ordered': 'key_strict_fifo',
  deliver: 'standard',
  policy: 'standard',
}

/** Databases that speak PostgreSQL's protocol. All but the first are clusters of several machines. */
export const backends = ['postgres', 'citus', 'yugabytedb', 'cockroachdb'] as const
export type Backend = (typeof backends)[number]

export type WorkOptions = { batchSize: number; concurrency: number }
export type JobQueue = {
  pgBoss(): PgBoss
  start(options: { supervise: boolean; warn(line: string): void }): Promise<void>
  work<T>(queue: QueueName, options: WorkOptions, handle: (jobs: ClaimedJob<T>[]) => Promise<void>): Promise<void>
  /** Handles jobs one by one, at most `slots` at a time, so that a slow job does not delay the others. */
  pump<T>(queue: QueueName, options: PumpOptions, handle: (job: ClaimedJob<T>) => Promise<void>): Pump
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

/** `start` loads pg-boss and connects, not this function: exporting and migrating need no jobs. */
export function makeJobQueue(url: string, backend: Backend = 'postgres'): JobQueue {
  let started: PgBoss | undefined
  let warnLine: (line: string) => void = () => undefined
  let notifications: JobNotifications | undefined
  const pgBoss = () => {
    if (!started) throw new Error('The job queue is not started')
    return started
  }
  return {
    pgBoss,
    async start({ supervise, warn }) {
      const { PgBoss } = await import('pg-boss')
      const boss = new PgBoss({
        ...connectionOptions(url),
        backend,
        max: 4,
        useListenNotify: backend !== 'cockroachdb',
        supervise,
        superviseIntervalSeconds: 1,
        monitorIntervalSeconds: 1,
        maintenanceIntervalSeconds: 30,
        schedule: false,
      })
      boss.on('error', (error: Error) => warn(`jobs: ${error.message}`))
      await boss.start()
      for (const name of queues) await openQueue(boss, name)
      started = boss
      warnLine = warn
    },
    pump(queue, options, handle) {
      notifications ??= listenForJobs(pgBoss(), warnLine)
      const pump = startPump(pgBoss(), queue, { ...options, warn: warnLine }, handle)
      notifications.add(queue, pump)
      return pump
    },
    async work(queue, { batchSize, concurrency }, handle) {
      const options = {
        batchSize,
        localConcurrency: concurrency,
        notifyPollingIntervalSeconds: 0.5,
        pollingIntervalSeconds: 0.5,
        burstWhenBatchFull: true,
      }
      await pgBoss().work(queue, options, async (jobs: Job<never>[]) => {
        await handle(
          jobs.map(({ id, retryCount, data, signal }) => ({ queue, id, retryCount, data: unpack(data), signal })),
        )
      })
    },
    async stop() {
      await notifications?.close()
      notifications = undefined
      await started?.stop({ graceful: true, close: true, timeout: 5_000 })
      started = undefined
    },
  }
}

/** Creates the tables of pg-boss where they are missing. */
export async function installJobs(url: string): Promise<void> {
  const jobQueue = makeJobQueue(url)
  await jobQueue.start({ supervise: false, warn: () => {} })
  await jobQueue.stop()
}

async function openQueue(boss: PgBoss, name: QueueName): Promise<void> {
  if (await boss.getQueue(name)) await boss.updateQueue(name, queueOptions)
  else await boss.createQueue(name, { policy: policies[name], partition: true, ...queueOptions })
}

type JobNotifications = { add(queue: QueueName, pump: Pump): void; close(): Promise<void> }

/**
 * pg-boss notifies only its own workers of new jobs, so the pumps listen on the same PostgreSQL channel. When listening
 * fails, the pumps poll.
 */
function listenForJobs(boss: PgBoss, warn: (line: string) => void): JobNotifications {
  const pumps: { queue: QueueName; pump: Pump }[] = []
  const channel = `pgboss_${createHash('sha224').update('pgboss').digest('hex').slice(0, 24)}`
  const wake = (name?: string) => {
    for (const { queue, pump } of pumps) if (name === undefined || queue === name) pump.wake()
  }
  const listening = boss.getDb().listen?.(channel, wake, () => wake())
  listening?.catch((error: Error) =>
    warn(`jobs: cannot listen for notifications, so the queues are polled: ${error.message}`),
  )
  return {
    add: (queue, pump) => void pumps.push({ queue, pump }),
    async close() {
      await Promise.all(pumps.map(({ pump }) => pump.stop()))
      await (await listening?.catch(() => undefined))?.close()
    },
  }
}
