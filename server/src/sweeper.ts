import type { Logger } from 'pino'
import type { Store } from './store/index.ts'

const everyMs = 60_000
const hourMs = 3_600_000

export type Sweeper = { stop(): Promise<void> }

/** Puts time's passing into the store: what expired, what nobody refers to, what is kept long enough. */
export function startSweeper(store: Store, clock: () => Date, log: Logger): Sweeper {
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running
      .then(() => sweep(store, clock()))
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

export async function sweep(store: Store, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - 24 * hourMs)
  await store.idempotencyKeys.sweep(dayAgo)
  await store.tokens.sweep(dayAgo)
  await store.images.sweep(dayAgo)
  await store.setupSessions.expireOverdue(now)
  await store.transfers.sweepExpired(now)
}
