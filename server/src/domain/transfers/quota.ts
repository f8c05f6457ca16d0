import type { Store } from '../../store/index.ts'
import { Refusal } from '../refusal.ts'

const hourMs = 3_600_000
const windows = [
  { requestsMax: 5, periodMs: hourMs },
  { requestsMax: 20, periodMs: 24 * hourMs },
]
const longestMs = 24 * hourMs

/** Five requests an hour and twenty a day per account, including the new one. */
export async function requireQuota(store: Store, accountId: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - longestMs)
  const times = await store.transfers.listTimes(accountId, since, 21)
  const waitMs = Math.max(...windows.map((window) => waitOf(times, window, now)))
  if (waitMs <= 0) return
  const seconds = Math.ceil(waitMs / 1000)
  const message = `Too many transfer requests; try again in ${seconds} s.`
  throw new Refusal('rate_limited', message, undefined, { retryAfterSeconds: seconds })
}

/** The time until the oldest request of a full window leaves it. `times` are newest first and include the new one. */
function waitOf(times: Date[], window: { requestsMax: number; periodMs: number }, now: Date): number {
  const filling = times[window.requestsMax]
  return filling === undefined ? 0 : filling.getTime() + window.periodMs - now.getTime()
}
