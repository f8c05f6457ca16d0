import { Refusal } from '../domain/refusal.ts'

/**
 * Limits requests per minute: per account, or per IP address for callers without one. The counts are in memory, one per
 * process.
 */

export type RateUsage = { limit: number; remaining: number; resetSeconds: number; isOver: boolean }
export type RateLimits = { spend(key: string, limit: number, now: Date): RateUsage }

type Window = { startMs: number; count: number }

const windowMs = 60_000
const keysMax = 100_000

export function makeRateLimits(): RateLimits {
  const windows = new Map<string, Window>()
  return {
    spend(key, limit, now) {
      const nowMs = now.getTime()
      let window = windows.get(key)
      if (!window || nowMs - window.startMs >= windowMs || nowMs < window.startMs) {
        if (windows.size >= keysMax) forgetOver(windows, nowMs)
        window = { startMs: nowMs, count: 0 }
        windows.set(key, window)
      }
      window.count++
      return {
        limit,
        remaining: Math.max(0, limit - window.count),
        resetSeconds: Math.ceil((window.startMs + windowMs - nowMs) / 1000),
        isOver: window.count > limit,
      }
    },
  }
}

function forgetOver(windows: Map<string, Window>, nowMs: number): void {
  for (const [key, window] of windows) if (nowMs - window.startMs >= windowMs) windows.delete(key)
  if (windows.size >= keysMax) windows.clear()
}

/** `policy` says what is counted. The first two headers are those of the current IETF draft, the others of its older versions. */
export function rateHeaders(policy: 'account' | 'address', usage: RateUsage): Record<string, string> {
  return {
    'ratelimit-policy': `"${policy}";q=${usage.limit};w=${windowMs / 1000}`,
    ratelimit: `"${policy}";r=${usage.remaining};t=${usage.resetSeconds}`,
    'ratelimit-limit': String(usage.limit),
    'ratelimit-remaining': String(usage.remaining),
    'ratelimit-reset': String(usage.resetSeconds),
  }
}

export function requireRate(usage: RateUsage): void {
  if (!usage.isOver) return
  const message = `Too many requests; try again in ${usage.resetSeconds} s.`
  throw new Refusal('rate_limited', message, undefined, { retryAfterSeconds: usage.resetSeconds })
}

/** The first 64 bits of an IPv6 address count as one caller, because a household gets a whole /64. */
export function addressKey(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address.replace(/^::ffff:/, '')
  const [head = ''] = address.split('::')
  const groups = head.split(':').concat(['0', '0', '0', '0'])
  return `${groups.slice(0, 4).join(':')}::/64`
}
