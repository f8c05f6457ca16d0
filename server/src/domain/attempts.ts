import { Refusal } from './refusal.ts'

/**
 * Slows down repeated attempts, such as password guesses. After some free attempts, each further one doubles the wait.
 * An attempt counts from its start, so that parallel attempts cannot all count as the first. The counts are in memory:
 * an attacker cannot restart the service, and a write to the store per attempt would make an attack more expensive for
 * us.
 */
export type Attempts = {
  /** Counts an attempt for each key. Refuses, and counts nothing, while one of the keys has to wait. */
  begin(keys: readonly AttemptKey[], now: Date): Attempt
}
export type Attempt = {
  /**
   * The attempt was no guess. The first key starts from zero and is known from now on; the other keys lose this
   * attempt.
   */
  succeed(): void
  /** Every key loses this attempt and keeps the others, for attempts that a success in between must not forgive. */
  undo(): void
}
export type AttemptKey = {
  name: string
  /** How many attempts are allowed without a wait. */
  freeAttempts: number
  waitMaxMs?: number
  /** True if an attempt does not count for this key once the first key has succeeded. */
  skipsKnown?: boolean
}

type Count = { count: number; blockedUntilMs: number; lastMs: number }

const waitMaxMs = 15 * 60_000
const forgetAfterMs = 60 * 60_000
const keysMax = 50_000

export function makeAttempts(): Attempts {
  const counts = new Map<string, Count>()
  const known = new Map<string, number>()
  return {
    begin(keys, now) {
      const nowMs = now.getTime()
      const [first, ...others] = keys.filter(({ skipsKnown }) => !skipsKnown || !known.has(keys[0]?.name ?? ''))
      if (!first) return { succeed: () => undefined, undo: () => undefined }
      requireNoWait(counts, [first, ...others], nowMs)
      if (counts.size > keysMax) forgetOld(counts, nowMs)
      const takeBack = [first, ...others].map((key) => count(counts, key, nowMs))
      const undo = () => {
        for (const takeOne of takeBack) takeOne()
      }
      return {
        undo,
        succeed() {
          undo()
          counts.delete(first.name)
          remember(known, first.name, nowMs)
        },
      }
    },
  }
}

function requireNoWait(counts: Map<string, Count>, keys: AttemptKey[], nowMs: number): void {
  // If the clock was set back, the last attempt is in the future. Its wait would last until the clock reaches that time
  // again, so it is ignored.
  const waits = keys.map(({ name }) => counts.get(name)).filter((count) => count !== undefined && count.lastMs <= nowMs)
  const waitMs = Math.max(0, ...waits.map((count) => count?.blockedUntilMs ?? 0)) - nowMs
  if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000))
}

/**
 * Counts one attempt. Returns a function that undoes the count; if other attempts were counted since, it subtracts one.
 */
function count(counts: Map<string, Count>, key: AttemptKey, nowMs: number): () => void {
  const before = counts.get(key.name)
  const after = counted(before, key, nowMs)
  counts.set(key.name, after)
  return () => {
    const current = counts.get(key.name)
    if (current === after && before) counts.set(key.name, before)
    else if (current === after) counts.delete(key.name)
    else if (current) counts.set(key.name, { ...current, count: current.count - 1 })
  }
}

function counted(before: Count | undefined, key: AttemptKey, nowMs: number): Count {
  const isRecent = before !== undefined && nowMs - before.lastMs < forgetAfterMs
  const count = (isRecent ? before.count : 0) + 1
  const doubledMs = count < key.freeAttempts ? 0 : 1000 * 2 ** (count - key.freeAttempts)
  return { count, blockedUntilMs: nowMs + Math.min(doubledMs, key.waitMaxMs ?? waitMaxMs), lastMs: nowMs }
}

function remember(known: Map<string, number>, name: string, nowMs: number): void {
  known.delete(name)
  known.set(name, nowMs)
  const [oldest] = known.keys()
  if (known.size > keysMax && oldest !== undefined) known.delete(oldest)
}

function forgetOld(counts: Map<string, Count>, nowMs: number): void {
  for (const [name, { lastMs }] of counts) if (nowMs - lastMs > forgetAfterMs) counts.delete(name)
  // Still full: remove the oldest entries. A Map keeps the order of insertion.
  for (const name of counts.keys()) {
    if (counts.size <= keysMax / 2) return
    counts.delete(name)
  }
}

function tooMany(seconds: number): Refusal {
  const message = `Too many attempts; try again in ${seconds} s.`
  return new Refusal('rate_limited', message, undefined, { retryAfterSeconds: seconds })
}
