import type { Logger } from 'pino'
import type { Store } from './store/index.ts'

const everyMs = 60_000
const hourMs = 3_600_000
const batchesMax = 50

/** How many days alerts and logs are kept. */
export type Retention = { alertsDays: number; logsDays: number }
export type Sweeper = { stop(): Promise<void> }

/** Deletes expired rows once a minute: idempotency keys, tokens, unused images, old alerts, logs and changes. */
export function startSweeper(store: Store, retention: Retention, clock: () => Date, log: Logger): Sweeper {
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running
      .then(() => sweep(store, retention, clock()))
      .catch((error: Error) => log.error({ error: error.message }, 'sweep failed; it will be retried'))
  }, everyMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}

export async function sweep(store: Store, retention: Retention, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - 24 * hourMs)
  await store.idempotencyKeys.sweep(dayAgo)
  await store.tokens.sweep(dayAgo)
  await store.images.sweep(dayAgo)
  await store.setupSessions.expireOverdue(now)
  await store.transferEndings.sweepExpired(now)
  const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * hourMs)
  await inBatches(store, () => store.retention.dropAlerts(daysAgo(retention.alertsDays)))
  await inBatches(store, () => store.retention.dropTriggerLogs(daysAgo(retention.logsDays)))
  await inBatches(store, () => store.retention.dropSourceLogs(daysAgo(retention.logsDays)))
  await inBatches(store, () => store.retention.dropTriggerEvents(dayAgo))
  await inBatches(store, () => store.retention.dropChanges(new Date(now.getTime() - hourMs)))
}

/** Deletes in batches, so that no statement locks many rows. What is left waits for the next sweep. */
async function inBatches(store: Store, drop: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < batchesMax; batch++) if ((await drop()) < store.retention.stepRows) return
}
