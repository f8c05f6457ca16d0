import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Store } from './store/index.ts'

const everyMs = 60_000
const hourMs = 3_600_000
/** A sweep ends before the next begins. */
const sweepMsMax = 50_000

/** The longest history of a source that people can read is a week. */
const sourceHistoryDays = 8

/** A place that an account was not used from for so long counts as new. */
const placesDays = 180

/** The values of policies are kept for a week. Keys that got a value in the last ten minutes may have too many. */
const [valuesDays, busyMs] = [7, 600_000]

/** How many days alerts, logs and the audit log are kept. */
export type Retention = { alertsDays: number; logsDays: number; auditDays: number }
export type Sweeper = { stop(): Promise<void> }

/**
 * Once a minute, deletes expired rows: idempotency keys, tokens, links, challenges, unused images,
 * look-ups, backtests, old alerts, values of policies, logs, audit entries and changes.
 */
export function startSweeper(store: Store, retention: Retention, clock: () => Date, log: Logger): Sweeper {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const run = async () => {
    try {
      await sweep(store, retention, clock(), stopping.signal)
    } catch (error) {
      if (!stopping.signal.aborted) log.error({ error: (error as Error).message }, 'sweep failed; it will be retried')
    }
    running = undefined
  }
  const timer = setInterval(() => {
    running ??= run()
  }, everyMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}

export async function sweep(store: Store, retention: Retention, now: Date, stopping?: AbortSignal): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const daysAgo = (days: number) => ago(days * 24 * hourMs)
  await store.idempotencyKeys.sweep(daysAgo(1))
  await store.tokens.sweep(daysAgo(1))
  await store.passwordResets.sweep(daysAgo(1))
  await store.challenges.sweep(now)
  await store.places.sweep(daysAgo(placesDays))
  await store.images.sweep(daysAgo(1))
  await store.lookUps.sweep(now)
  await store.backtests.sweep(now)
  await store.setupSessions.expireOverdue(now)
  await store.transferEndings.sweepExpired(now)
  const batches = { endsAtMs: performance.now() + sweepMsMax, stopping }
  const { retention: old } = store
  const drop = (batch: () => Promise<number>) => inBatches(batch, { ...batches, rows: old.stepRows })
  await drop(() => old.dropTriggerEvents(daysAgo(1)))
  await drop(() => old.dropHealthEvents(daysAgo(1)))
  await drop(() => old.dropChanges(ago(hourMs)))
  await drop(() => old.dropTriggerLogs(daysAgo(retention.logsDays)))
  await drop(() => old.dropSourceLogs(daysAgo(retention.logsDays)))
  await drop(() => old.dropAuditEntries(daysAgo(retention.auditDays)))
  await drop(() => store.sourceMinutes.drop(daysAgo(sourceHistoryDays)))
  await drop(() => store.policyValues.drop(daysAgo(valuesDays)))
  const thin = () => store.policyValues.thin(ago(busyMs))
  await inBatches(thin, { ...batches, rows: store.policyValues.thinKeys })
  await drop(() => old.dropAlerts(daysAgo(retention.alertsDays)))
  await drop(() => store.hourlyCounts.drop(daysAgo(retention.alertsDays)))
  await drop(() => store.hourlyRuns.drop(daysAgo(retention.alertsDays)))
}

type Batches = {
  rows: number
  endsAtMs: number
  stopping: AbortSignal | undefined
}

/** The sweeper pauses for this many times as long as a batch took, so that other work hardly gets slower. */
const pauseFactor = 9

/** Works in batches, so that no statement locks many rows. What is left at the end waits for the next sweep. */
async function inBatches(batch: () => Promise<number>, batches: Batches): Promise<void> {
  const { rows, endsAtMs, stopping } = batches
  for (;;) {
    const beganMs = performance.now()
    if ((await batch()) < rows || stopping?.aborted) return
    const nowMs = performance.now()
    if (nowMs > endsAtMs) return
    await pause((nowMs - beganMs) * pauseFactor, undefined, { signal: stopping, ref: false })
  }
}
