import { createHash } from 'node:crypto'
import type { Job, PgBoss, QueuePolicy } from 'pg-boss'
import { unpack } from '../core/packing.ts'
import { type Pump, type PumpOptions, startPump } from './pump.ts'

/**
 * Work that travels between processes, as pg-boss jobs. `evaluate` takes chunks of matches in any order;
 * `evaluate-ordered` those of triggers that remember, one after the other for each key; `deliver` wakes the lane of a
 * resource; `policy` wakes what a subscription waits for.
 */
export const queues = ['evaluate', 'evaluate-ordered', 'deliver', 'policy'] as const
export type Queue = (typeof queues)[number]
const policies: Record<Queue, QueuePolicy> = {
  evaluate: 'standard',
  'evaluate-ordered': 'key_strict_fifo',
  deliver: 'standard',
  policy: 'standard',
}

/** What the store stands on; all but the first are several machines that look like one PostgreSQL. */
export const backends = ['postgres', 'citus', 'yugabytedb', 'cockroachdb'] as const
export type Backend = (typeof backends)[number]

export type { Job }
export type WorkOptions = { batchSize: number; concurrency: number }
/** A claimed job: its attempt can be settled once, by whoever holds it. */
export type Claimed<T> = { queue: Queue; id: string; retryCount: number; data: T; signal: AbortSignal }
export type Board = {
  boss(): PgBoss
  start(options: { supervise: boolean; warn(line: string): void }): Promise<void>
  work<T>(queue: Queue, options: WorkOptions, handle: (jobs: Claimed<T>[]) => Promise<void>): Promise<void>
  /** Jobs one by one, as many at once as there are slots: a slow one holds up nobody. */
  pump<T>(queue: Queue, options: PumpOptions, handle: (job: Claimed<T>) => Promise<void>): Pump
  stop(): Promise<void>
}

/** A job that nobody could finish is tried again for as long as it takes: giving up would lose what it carries. */
const retriesMax = 1_000_000

const queueOptions = {
  retryLimit: retriesMax,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  // A chunk of slow runs may rightly take long; whoever died is known by his heartbeat.
  expireInSeconds: 3_600,
  heartbeatSeconds: 10,
  deleteAfterSeconds: 60,
  retentionSeconds: 10 * 365 * 86_400,
  notify: true,
}

/** Nothing is loaded or connected before it is started: exporting and migrating need no jobs. */
export function makeBoard(url: string, backend: Backend = 'postgres'): Board {
  let started: PgBoss | undefined
  let say: (line: string) => void = () => undefined
  let doorbell: Doorbell | undefined
  const boss = () => {
    if (!started) throw new Error('Jobs are not started')
    return started
  }
  return {
    boss,
    async start({ supervise, warn }) {
      const { PgBoss } = await import('pg-boss')
      const made = new PgBoss({
        connectionString: url,
        backend,
        max: 4,
        useListenNotify: backend !== 'cockroachdb',
        supervise,
        superviseIntervalSeconds: 1,
        monitorIntervalSeconds: 1,
        maintenanceIntervalSeconds: 30,
        schedule: false,
      })
      made.on('error', (error: Error) => warn(`jobs: ${error.message}`))
      await made.start()
      for (const name of queues) await openQueue(made, name)
      started = made
      say = warn
    },
    pump(queue, options, handle) {
      doorbell ??= hangDoorbell(boss(), say)
      const pump = startPump(boss(), queue, { ...options, warn: say }, handle)
      doorbell.add(queue, pump)
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
      await boss().work(queue, options, async (jobs: Job<never>[]) => {
        await handle(
          jobs.map(({ id, retryCount, data, signal }) => ({ queue, id, retryCount, data: unpack(data), signal })),
        )
      })
    },
    async stop() {
      await doorbell?.close()
      doorbell = undefined
      await started?.stop({ graceful: true, close: true, timeout: 5_000 })
      started = undefined
    },
  }
}

/** Makes the tables of the jobs where there are none: what starts the jobs later finds them. */
export async function installJobs(url: string): Promise<void> {
  const board = makeBoard(url)
  await board.start({ supervise: false, warn: () => {} })
  await board.stop()
}

async function openQueue(boss: PgBoss, name: Queue): Promise<void> {
  if (await boss.getQueue(name)) await boss.updateQueue(name, queueOptions)
  else await boss.createQueue(name, { policy: policies[name], partition: true, ...queueOptions })
}

type Doorbell = { add(queue: Queue, pump: Pump): void; close(): Promise<void> }

/** pg-boss tells its own workers alone of new jobs; pumps listen on the same channel. Without it they poll. */
function hangDoorbell(boss: PgBoss, warn: (line: string) => void): Doorbell {
  const pumps: { queue: Queue; pump: Pump }[] = []
  const channel = `pgboss_${createHash('sha224').update('pgboss').digest('hex').slice(0, 24)}`
  const ring = (name?: string) => {
    for (const { queue, pump } of pumps) if (name === undefined || queue === name) pump.wake()
  }
  const listening = boss.getDb().listen?.(channel, ring, () => ring())
  listening?.catch((error: Error) => warn(`jobs: no notifications, so they are polled: ${error.message}`))
  return {
    add: (queue, pump) => void pumps.push({ queue, pump }),
    async close() {
      await Promise.all(pumps.map(({ pump }) => pump.stop()))
      await (await listening?.catch(() => undefined))?.close()
    },
  }
}
