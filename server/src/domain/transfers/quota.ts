import type { Store } from '../../store/index.ts'
import { Refusal } from '../refusal.ts'

const hourMs = 3_600_000
const windows = [
  { requestsMax: 5, periodMs: hourMs },
  { requestsMax: 20, periodMs: 24 * hourMs },
]
const longestMs = 24 * hourMs

/** Five requests an hour and twenty a day per account, the one just made included. */
export async function requireQuota(store: Store, accountId: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - longestMs)
  const times = await store.transfers.listTimes(accountId, since, 21)
  const waitMs = Math.max(...windows.map((window) => waitOf(times, window, now)))
  if (waitMs <= 0) return
  const seconds = Math.ceil(waitMs / 1000)
  const message = `Too many transfer requests; try again in ${seconds} s.`
  throw new Refusal('rate_limited', message, undefined, { retryAfterSeconds: seconds })
}

/** How long until the oldest request that fills the window has left it; `times` stand newest first, the new one ahead. */
function waitOf(times: Date[], window: { requestsMax: number; periodMs: number }, now: Date): number {
  const filling = times[window.requestsMax]
  return filling === undefined ? 0 : filling.getTime() + window.periodMs - now.getTime()
}
