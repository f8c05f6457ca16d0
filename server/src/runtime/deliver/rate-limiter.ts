import type { Limit } from '../../engine/destinations/index.ts'

/** Beyond this many keys, expired ones are deleted, so that memory does not grow with the number of chats. */
const keysMax = 10_000

/** `waitMs` returns 0 if one more message may be sent within all limits now, and then counts it. */
export type RateLimiter = { waitMs(limits: readonly Limit[]): number }

/** The generic cell rate algorithm: for each key it keeps the time at which all sent messages would be spread evenly. */
export function makeRateLimiter(nowMs: () => number): RateLimiter {
  const theoreticalMs = new Map<string, number>()
  return {
    waitMs(limits) {
      const now = nowMs()
      const waits = limits.map(
        ({ key, everyMs, burst }) => (theoreticalMs.get(key) ?? now) - (burst - 1) * everyMs - now,
      )
      const waitMs = Math.max(0, ...waits)
      if (waitMs > 0) return waitMs
      for (const { key, everyMs } of limits)
        theoreticalMs.set(key, Math.max(theoreticalMs.get(key) ?? now, now) + everyMs)
      if (theoreticalMs.size > keysMax)
        for (const [key, atMs] of theoreticalMs) if (atMs <= now) theoreticalMs.delete(key)
      return 0
    },
  }
}
