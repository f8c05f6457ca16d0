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

type Spent = { running: number; waiting: (() => void)[]; startMs: number; count: number }

export function makeTrials(perMinuteMax: number): Trials {
  const accounts = new Map<string, Spent>()
  return {
    async run(accountId, now, work) {
      const spent = admit(accounts, accountId, now.getTime(), perMinuteMax)
      if (spent.running >= atOnceMax) await new Promise<void>((go) => spent.waiting.push(go))
      else spent.running++
      try {
        return await work()
      } finally {
        leave(spent)
      }
    },
  }
}

function admit(accounts: Map<string, Spent>, accountId: string, nowMs: number, perMinuteMax: number): Spent {
  const spent = accounts.get(accountId) ?? { running: 0, waiting: [], startMs: nowMs, count: 0 }
  if (nowMs - spent.startMs >= minuteMs) Object.assign(spent, { startMs: nowMs, count: 0 })
  if (spent.waiting.length >= waitingMax) throw tooMany(`${waitingMax} of your tests are waiting already`, 1)
  const leftSeconds = Math.ceil((spent.startMs + minuteMs - nowMs) / 1000)
  if (spent.count >= perMinuteMax) throw tooMany(`You have run ${perMinuteMax} tests in a minute`, leftSeconds)
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
