import { Refusal } from './refusal.ts'

/**
 * Trying definitions out costs processor time and other people's servers: of one account a few run at once, some
 * more wait for their turn, and there are only so many a minute.
 */
export type Trials = { run<T>(accountId: string, now: Date, work: () => Promise<T>): Promise<T> }

const atOnceMax = 4
const waitingMax = 16
const minuteMs = 60_000
/** From so many on, those are forgotten who have not run anything lately. */
const accountsMax = 1_000

type Spent = { running: number; waiting: (() => void)[]; startMs: number; count: number; usedMs: number }
export type TrialLimits = { perMinute: number; secondsPerMinute: number }

export function makeTrials(limits: TrialLimits, elapsedMs: () => number = () => performance.now()): Trials {
  const accounts = new Map<string, Spent>()
  return {
    async run(accountId, now, work) {
      const spent = admit(accounts, accountId, now.getTime(), limits)
      if (spent.running >= atOnceMax) await new Promise<void>((go) => spent.waiting.push(go))
      else spent.running++
      const beganMs = elapsedMs()
      try {
        return await work()
      } finally {
        spent.usedMs += elapsedMs() - beganMs
        leave(spent)
      }
    },
  }
}

function admit(accounts: Map<string, Spent>, accountId: string, nowMs: number, limits: TrialLimits): Spent {
  const spent = accounts.get(accountId) ?? { running: 0, waiting: [], startMs: nowMs, count: 0, usedMs: 0 }
  // A clock that was set back begins a new minute too: otherwise the account would wait until the old time comes again.
  if (Math.abs(nowMs - spent.startMs) >= minuteMs) Object.assign(spent, { startMs: nowMs, count: 0, usedMs: 0 })
  if (spent.waiting.length >= waitingMax) throw tooMany(`${waitingMax} of your tests are waiting already`, 1)
  const leftSeconds = Math.ceil((spent.startMs + minuteMs - nowMs) / 1000)
  if (spent.count >= limits.perMinute) throw tooMany(`You have run ${limits.perMinute} tests in a minute`, leftSeconds)
  if (spent.usedMs >= limits.secondsPerMinute * 1000)
    throw tooMany(`Your tests have taken ${limits.secondsPerMinute} s in a minute`, leftSeconds)
  spent.count++
  if (accounts.size >= accountsMax) forgetIdle(accounts, nowMs)
  accounts.set(accountId, spent)
  return spent
}

/** Whose minute is over starts afresh anyway. */
function forgetIdle(accounts: Map<string, Spent>, nowMs: number): void {
  for (const [accountId, { running, startMs }] of accounts)
    if (running === 0 && nowMs - startMs >= minuteMs) accounts.delete(accountId)
}

/** The place goes to whoever waits longest. */
function leave(spent: Spent): void {
  const next = spent.waiting.shift()
  if (next) next()
  else spent.running--
}

function tooMany(reason: string, retryAfterSeconds: number): Refusal {
  const message = `${reason}; try again in ${retryAfterSeconds} s.`
  return new Refusal('rate_limited', message, undefined, { retryAfterSeconds })
}
