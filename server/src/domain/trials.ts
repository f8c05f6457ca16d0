import { Refusal } from './refusal.ts'

/**
 * Limits tests, which cost processor time and calls to other servers. Four tests of one account run at the same time,
 * 16 more wait. An account and a workspace have a limited number and a limited duration of tests per minute.
 */
export type Trials = {
  /** `workspace` is charged for the duration too. The caller is a member of it. */
  run<T>(accountId: string, now: Date, work: () => Promise<T>, workspace?: string): Promise<T>
}

const atOnceMax = 4
const waitingMax = 16
const minuteMs = 60_000
/** From this number of entries on, idle ones are removed. */
const entriesMax = 1_000

/** What one account or workspace has used in its current minute. */
type Spent = { running: number; waiting: (() => void)[]; startMs: number; count: number; usedMs: number }
type Entries = Map<string, Spent>
export type TrialLimits = { perMinute: number; secondsPerMinute: number; workspaceSecondsPerMinute: number }

export function makeTrials(limits: TrialLimits, elapsedMs: () => number = () => performance.now()): Trials {
  const accounts: Entries = new Map()
  const workspaces: Entries = new Map()
  return {
    async run(accountId, now, work, workspace) {
      const shared = workspace === undefined ? undefined : spentBy(workspaces, workspace, now.getTime())
      const spent = spentBy(accounts, accountId, now.getTime())
      if (shared) requireTime(shared, now, limits.workspaceSecondsPerMinute, 'The tests of this workspace have')
      admit(spent, now, limits)
      if (shared) shared.running++
      if (spent.running >= atOnceMax) await new Promise<void>((go) => spent.waiting.push(go))
      else spent.running++
      const beganMs = elapsedMs()
      try {
        return await work()
      } finally {
        const tookMs = elapsedMs() - beganMs
        spent.usedMs += tookMs
        leave(spent)
        if (shared) {
          shared.usedMs += tookMs
          shared.running--
        }
      }
    },
  }
}

function spentBy(entries: Entries, key: string, nowMs: number): Spent {
  const spent = entries.get(key) ?? { running: 0, waiting: [], startMs: nowMs, count: 0, usedMs: 0 }
  // A clock that was set back starts a new minute too. Otherwise the wait would last until the clock reaches the old
  // time.
  if (Math.abs(nowMs - spent.startMs) >= minuteMs) Object.assign(spent, { startMs: nowMs, count: 0, usedMs: 0 })
  if (entries.size >= entriesMax) forgetIdle(entries, nowMs)
  entries.set(key, spent)
  return spent
}

function admit(spent: Spent, now: Date, { perMinute, secondsPerMinute }: TrialLimits): void {
  if (spent.waiting.length >= waitingMax) throw tooMany(`${waitingMax} of your tests are waiting already`, 1)
  if (spent.count >= perMinute) throw tooMany(`You have run ${perMinute} tests in a minute`, secondsLeft(spent, now))
  requireTime(spent, now, secondsPerMinute, 'Your tests have')
  spent.count++
}

function requireTime(spent: Spent, now: Date, seconds: number, whoHas: string): void {
  if (spent.usedMs >= seconds * 1000) throw tooMany(`${whoHas} taken ${seconds} s in a minute`, secondsLeft(spent, now))
}

function secondsLeft({ startMs }: Spent, now: Date): number {
  return Math.ceil((startMs + minuteMs - now.getTime()) / 1000)
}

/** An entry whose minute is over would start from zero, so it can be removed. */
function forgetIdle(entries: Entries, nowMs: number): void {
  for (const [key, { running, startMs }] of entries)
    if (running === 0 && nowMs - startMs >= minuteMs) entries.delete(key)
}

/** The longest-waiting test takes the free slot. */
function leave(spent: Spent): void {
  const next = spent.waiting.shift()
  if (next) next()
  else spent.running--
}

function tooMany(reason: string, retryAfterSeconds: number): Refusal {
  const message = `${reason}; try again in ${retryAfterSeconds} s.`
  return new Refusal('rate_limited', message, undefined, { retryAfterSeconds })
}
