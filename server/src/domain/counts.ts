import type { CountsRange, CountsView, TriggerRunsView } from '@tocsin/contract'
import type * as z from 'zod'
import type { CountOwner, Counts } from '../store/alerts/count-changes.ts'
import { hourMs, startOfHour } from '../store/alerts/hourly-counts.ts'
import { addRunCounts, noRuns } from '../store/alerts/run-changes.ts'
import type { Store } from '../store/index.ts'

const hoursOf: Record<CountsRange, number> = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 }
const lastRunsMax = 10
const none: Counts = { recorded: 0, delivered: 0, failed: 0, failedAttempts: 0 }

/** The current hour and the 23 before it. */
export function startOfLastDay(now: Date): Date {
  return firstHour('24h', now)
}

/** The counts of every hour of the range; zeros where nothing happened. */
export async function readCounts(
  store: Store,
  owner: { kind: CountOwner; id: string },
  range: CountsRange,
  now: Date,
): Promise<z.output<typeof CountsView>> {
  const rows = await store.hourlyCounts.list(owner.kind, owner.id, firstHour(range, now))
  return { range, total: rows.reduce(sumOf, none), hours: everyHour(rows, none, range, now) }
}

/** The runs of every hour of the range, and the newest ones. */
export async function readRuns(
  store: Store,
  triggerId: string,
  range: CountsRange,
  now: Date,
): Promise<z.output<typeof TriggerRunsView>> {
  const rows = await store.hourlyRuns.list(triggerId, firstHour(range, now))
  const counts = rows.map(({ last: _, ...counts }) => counts)
  return {
    range,
    total: counts.reduce(addRunCounts, noRuns),
    hours: everyHour(counts, noRuns, range, now),
    last: rows
      .toReversed()
      .flatMap(({ last }) => last)
      .slice(0, lastRunsMax),
  }
}

function firstHour(range: CountsRange, now: Date): Date {
  return new Date(startOfHour(now).getTime() - (hoursOf[range] - 1) * hourMs)
}

/** One entry for each hour of the range. */
function everyHour<Counted>(rows: readonly (Counted & { hour: Date })[], none: Counted, range: CountsRange, now: Date) {
  const counts = new Map(rows.map(({ hour, ...counted }) => [hour.getTime(), counted]))
  return Array.from({ length: hoursOf[range] }, (_, index) => {
    const hour = firstHour(range, now).getTime() + index * hourMs
    return { ...(counts.get(hour) ?? none), hour: new Date(hour).toISOString() }
  })
}

function sumOf(a: Counts, b: Counts): Counts {
  return {
    recorded: a.recorded + b.recorded,
    delivered: a.delivered + b.delivered,
    failed: a.failed + b.failed,
    failedAttempts: a.failedAttempts + b.failedAttempts,
  }
}
