import type { Logger } from 'pino'
import type { Store } from './store/index.ts'

const everyMs = 60_000
const hourMs = 3_600_000
const stepsMax = 50

/** How long what was told is kept. */
export type Retention = { alertsDays: number; logsDays: number }
export type Sweeper = { stop(): Promise<void> }

/** Puts time's passing into the store: what expired, what nobody refers to, what is kept long enough. */
export function startSweeper(store: Store, retention: Retention, clock: () => Date, log: Logger): Sweeper {
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running
      .then(() => sweep(store, retention, clock()))
      .catch((error: Error) => log.error({ error: error.message }, 'sweep failed'))
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
  await store.transfers.sweepExpired(now)
  const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * hourMs)
  await inSteps(store, () => store.retention.dropAlerts(daysAgo(retention.alertsDays)))
  await inSteps(store, () => store.retention.dropTriggerLogs(daysAgo(retention.logsDays)))
  await inSteps(store, () => store.retention.dropSourceLogs(daysAgo(retention.logsDays)))
  await inSteps(store, () => store.retention.dropTriggerEvents(dayAgo))
  await inSteps(store, () => store.retention.dropChanges(new Date(now.getTime() - hourMs)))
}

/** What does not fit into one round waits for the next. */
async function inSteps(store: Store, drop: () => Promise<number>): Promise<void> {
  for (let step = 0; step < stepsMax; step++) if ((await drop()) < store.retention.stepRows) return
}
