import type { Limit } from '../../engine/destinations/index.ts'

/** Keys that nobody asked for since are forgotten, so that memory does not grow with the number of chats. */
const keysMax = 10_000

export type Pace = { waitMs(limits: readonly Limit[]): number }

/**
 * How long until one more may go out within all of the limits; zero means that it counts from now. For each key the
 * moment is kept at which all that went out would have done so evenly (the generic cell rate algorithm).
 */
export function makePace(nowMs: () => number): Pace {
  const evenMs = new Map<string, number>()
  return {
    waitMs(limits) {
      const now = nowMs()
      const waits = limits.map(({ key, everyMs, burst }) => (evenMs.get(key) ?? now) - (burst - 1) * everyMs - now)
      const waitMs = Math.max(0, ...waits)
      if (waitMs > 0) return waitMs
      for (const { key, everyMs } of limits) evenMs.set(key, Math.max(evenMs.get(key) ?? now, now) + everyMs)
      if (evenMs.size > keysMax) for (const [key, even] of evenMs) if (even <= now) evenMs.delete(key)
      return 0
    },
  }
}
