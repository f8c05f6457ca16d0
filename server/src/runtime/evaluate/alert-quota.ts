import type { Match } from '../jobs/job.ts'
import type { LiveTrigger } from '../listeners/live-trigger.ts'
import type { Candidate } from './fan-out/index.ts'

/**
 * Limits the alerts a minute for the subscriptions of one workspace; each process counts its own. Nothing is dropped:
 * matches beyond the limit become a job for the next minute. Counting costs one map update for each alert and no query.
 */
export type AlertQuota = {
  /** Counts the alerts of an evaluated chunk. */
  count(candidates: readonly Candidate[]): void
  /** Splits the listeners of matches: those that are evaluated now, and those whose workspace reached its limit. */
  split(trigger: LiveTrigger, matches: readonly Match[]): SplitMatches
}
export type SplitMatches = { now: readonly Match[]; postponed: Postponed | null }
export type Postponed = { matches: Match[]; until: Date }

const minuteMs = 60_000

export function makeAlertQuota(perMinute: number, clock: () => Date): AlertQuota {
  const counts = new Map<string, number>()
  const full = new Set<string>()
  let minute = 0
  const startMinute = () => {
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
      startMinute()
      for (const { alert, listener } of candidates) if (alert) add(listener.workspaceId)
    },
    split(trigger, matches) {
      startMinute()
      if (full.size === 0) return { now: matches, postponed: null }
      const mustWait = (key: string) => full.has(trigger.listeners.get(key)?.workspaceId ?? '')
      const later = matches.flatMap((match) => {
        const listeners = match.listeners.filter(mustWait)
        return listeners.length > 0 ? [{ ...match, listeners, isRetryFor: 'listeners' as const }] : []
      })
      if (later.length === 0) return { now: matches, postponed: null }
      const now = matches.map((match) => ({ ...match, listeners: match.listeners.filter((key) => !mustWait(key)) }))
      return { now, postponed: { matches: later, until: new Date((minute + 1) * minuteMs) } }
    },
  }
}
