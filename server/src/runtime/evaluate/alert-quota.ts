import type { Match } from '../jobs/job.ts'
import type { LiveTrigger } from '../listeners/listener.ts'
import type { Candidate } from './fan-out/index.ts'

/**
 * How many alerts a minute the subscriptions of one workspace get, as each process counts. Nothing is dropped: matches for
 * subscriptions beyond it become a job for the next minute. Counting costs one step of a map for an alert, and no query.
 */
export type AlertQuota = {
  /** Counts the alerts that an evaluated chunk brings. */
  count(candidates: readonly Candidate[]): void
  /** Parts the listeners of matches: those that are told now, and those whose workspace has to wait. */
  part(trigger: LiveTrigger, matches: readonly Match[]): Parted
}
export type Parted = { now: readonly Match[]; postponed: Postponed | null }
export type Postponed = { matches: Match[]; until: Date }

const minuteMs = 60_000

export function makeAlertQuota(perMinute: number, clock: () => Date): AlertQuota {
  const counts = new Map<string, number>()
  const full = new Set<string>()
  let minute = 0
  const turnMinute = () => {
    const current = Math.floor(clock().getTime() / minuteMs)
    if (current === minute) return
    counts.clear()
    full.clear()
    minute = current
  }
  const add = (workspaceId: string) => {
    const count = (counts.get(workspaceId) ?? 0) + 1
    counts.set(workspaceId, count)
    if (count >= perMinute) full.add(workspaceId)
  }
  return {
    count(candidates) {
      turnMinute()
      for (const { alert, listener } of candidates) if (alert) add(listener.workspaceId)
    },
    part(trigger, matches) {
      turnMinute()
      // What remembers has to stay in order, so it is counted and never postponed.
      if (trigger.isOrdered || full.size === 0) return { now: matches, postponed: null }
      const waits = (key: string) => full.has(trigger.listeners.get(key)?.workspaceId ?? '')
      const later = matches.flatMap((match) => {
        const listeners = match.listeners.filter(waits)
        return listeners.length > 0 ? [{ ...match, listeners, isRetryFor: 'listeners' as const }] : []
      })
      if (later.length === 0) return { now: matches, postponed: null }
      const now = matches.map((match) => ({ ...match, listeners: match.listeners.filter((key) => !waits(key)) }))
      return { now, postponed: { matches: later, until: new Date((minute + 1) * minuteMs) } }
    },
  }
}
