import { Refusal } from './refusal.ts'

/**
 * Limits tests, which cost processor time and calls to other servers. Four tests of one account run at the same time,
 * 16 more wait. An account and a workspace have a limited number and a limited duration of tests per minute.
 */
export type TestLimits = {
  /** `workspace` is charged for the duration too. The caller is a member of it. */
  run<T>(accountId: string, now: Date, work: () => Promise<T>, workspace?: string): Promise<T>
}

const atOnceMax = 4
const waitingMax = 16
const minuteMs = 60_000
/** From this number of entries on, idle ones are removed. */
const entriesMax = 1_000

/** What one account or workspace has used in its current minute. */
type Usage = { running: number; waiting: (() => void)[]; startMs: number; count: number; usedMs: number }
type Entries = Map<string, Usage>
export type TestRates = { perMinute: number; secondsPerMinute: number; workspaceSecondsPerMinute: number }

export function makeTestLimits(limits: TestRates, elapsedMs: () => number = () => performance.now()): TestLimits {
  const accounts: Entries = new Map()
  const workspaces: Entries = new Map()
  return {
    async run(accountId, now, work, workspace) {
      const shared = workspace === undefined ? undefined : usageOf(workspaces, workspace, now.getTime())
      const usage = usageOf(accounts, accountId, now.getTime())
      if (shared) requireTime(shared, now, limits.workspaceSecondsPerMinute, 'The tests of this workspace have')
      admit(usage, now, limits)
      if (shared) shared.running++
      if (usage.running >= atOnceMax) await new Promise<void>((go) => usage.waiting.push(go))
      else usage.running++
      const beganMs = elapsedMs()
      try {
        return await work()
      } finally {
        const tookMs = elapsedMs() - beganMs
        usage.usedMs += tookMs
        leave(usage)
        if (shared) {
          shared.usedMs += tookMs
          shared.running--
        }
      }
    },
  }
}

function usageOf(entries: Entries, key: string, nowMs: number): Usage {
  const usage = entries.get(key) ?? { running: 0, waiting: [], startMs: nowMs, count: 0, usedMs: 0 }
  // A clock that was set back starts a new minute too. Otherwise the wait would last until the clock reaches the old
  // time.
  if (Math.abs(nowMs - usage.startMs) >= minuteMs) Object.assign(usage, { startMs: nowMs, count: 0, usedMs: 0 })
  if (entries.size >= entriesMax) forgetIdle(entries, nowMs)
  entries.set(key, usage)
  return usage
}

function admit(usage: Usage, now: Date, { perMinute, secondsPerMinute }: TestRates): void {
  if (usage.waiting.length >= waitingMax) throw tooMany(`${waitingMax} of your tests are waiting already`, 1)
  if (usage.count >= perMinute) throw tooMany(`You have run ${perMinute} tests in a minute`, secondsLeft(usage, now))
  requireTime(usage, now, secondsPerMinute, 'Your tests have')
  usage.count++
}

function requireTime(usage: Usage, now: Date, seconds: number, whoHas: string): void {
  if (usage.usedMs >= seconds * 1000) throw tooMany(`${whoHas} taken ${seconds} s in a minute`, secondsLeft(usage, now))
}

function secondsLeft({ startMs }: Usage, now: Date): number {
  return Math.ceil((startMs + minuteMs - now.getTime()) / 1000)
}

/** An entry whose minute is over would start from zero, so it can be removed. */
function forgetIdle(entries: Entries, nowMs: number): void {
  for (const [key, { running, startMs }] of entries)
    if (running === 0 && nowMs - startMs >= minuteMs) entries.delete(key)
}

/** The longest-waiting test takes the free slot. */
function leave(usage: Usage): void {
  const next = usage.waiting.shift()
  if (next) next()
  else usage.running--
}

function tooMany(reason: string, retryAfterSeconds: number): Refusal {
  const message = `${reason}; try again in ${retryAfterSeconds} s.`
  return new Refusal('rate_limited', message, undefined, { retryAfterSeconds })
}
