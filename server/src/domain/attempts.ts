import { Refusal } from './refusal.ts'

/**
 * Slows down guessing: after a few failures each further one doubles the wait, per mailbox and per address.
 * Kept in memory: a guesser cannot restart the service, and a store write per guess would help him instead.
 */
export type Attempts = {
  /** Refuses while one of the keys has to wait. */
  require(keys: AttemptKey[], now: Date): void
  fail(keys: AttemptKey[], now: Date): void
  succeed(key: AttemptKey): void
}
/** What guesses are counted by, and how many are free: many people may share an address, nobody shares a mailbox. */
export type AttemptKey = { name: string; freeFailures: number }

type Failures = { count: number; blockedUntilMs: number; lastMs: number }

const waitMaxMs = 15 * 60_000
const forgetAfterMs = 60 * 60_000
const keysMax = 50_000

export function makeAttempts(): Attempts {
  const failures = new Map<string, Failures>()

  return {
    require(keys, now) {
      const untilMs = Math.max(...keys.map(({ name }) => failures.get(name)?.blockedUntilMs ?? 0))
      const waitMs = untilMs - now.getTime()
      if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000))
    },
    fail(keys, now) {
      if (failures.size > keysMax) forgetOld(failures, now)
      for (const key of keys)
        failures.set(key.name, afterFailure(failures.get(key.name), key.freeFailures, now.getTime()))
    },
    succeed({ name }) {
      failures.delete(name)
    },
  }
}

function afterFailure(known: Failures | undefined, freeFailures: number, nowMs: number): Failures {
  const isFresh = known !== undefined && nowMs - known.lastMs < forgetAfterMs
  const count = (isFresh ? known.count : 0) + 1
  const waitMs = count < freeFailures ? 0 : Math.min(1000 * 2 ** (count - freeFailures), waitMaxMs)
  return { count, blockedUntilMs: nowMs + waitMs, lastMs: nowMs }
}

function forgetOld(failures: Map<string, Failures>, now: Date): void {
  for (const [key, { lastMs }] of failures) if (now.getTime() - lastMs > forgetAfterMs) failures.delete(key)
  // Still full: the oldest go first, a Map keeps them in order.
  for (const key of failures.keys()) {
    if (failures.size <= keysMax / 2) return
    failures.delete(key)
  }
}

function tooMany(seconds: number): Refusal {
  const message = `Too many failed attempts; try again in ${seconds} s.`
  return new Refusal('rate_limited', message, undefined, { retryAfterSeconds: seconds })
}
