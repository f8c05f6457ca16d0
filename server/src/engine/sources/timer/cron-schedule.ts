/**
 * The instants at which cron fields fire in a time zone. Every matching local time fires exactly once: one that the clocks
 * skip fires at the moment of the jump, one that they show twice fires the first time. Later local times never give
 * earlier instants, so a search over local times finds the neighbours of an instant.
 */
import type { Cron } from '@tocsin/contract'
import { instantOf, latestLocalMs, offsetMs } from './time-zone.ts'

const dayMs = 86_400_000
/** A Sunday that is February 29 can take 40 years to come, because 2100 is no leap year. */
const searchMonths = 41 * 12

export function lastCronMs(cron: Cron, zone: string, nowMs: number): number | undefined {
  for (const local of localTimes(cron, latestLocalMs(zone, nowMs), -1)) {
    const instant = instantOf(zone, local)
    if (instant <= nowMs) return instant
  }
  return undefined
}

export function nextCronMs(cron: Cron, zone: string, nowMs: number): number | undefined {
  for (const local of localTimes(cron, nowMs + offsetMs(zone, nowMs), 1)) {
    const instant = instantOf(zone, local)
    if (instant > nowMs) return instant
  }
  return undefined
}

/** Matching local times (written as if they were UTC) from `fromMs` on, forwards or backwards. */
function* localTimes(cron: Cron, fromMs: number, direction: 1 | -1): Generator<number> {
  const times = cron.hours.flatMap((hour) => cron.minutes.map((minute) => (hour * 60 + minute) * 60_000))
  if (direction === -1) times.reverse()
  for (const day of matchingDays(cron, fromMs, direction)) {
    for (const time of times) if ((day + time - fromMs) * direction >= 0) yield day + time
  }
}

function* matchingDays(cron: Cron, fromMs: number, direction: 1 | -1): Generator<number> {
  const from = new Date(fromMs)
  for (let moved = 0; moved <= searchMonths; moved++) {
    const month = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + moved * direction))
    if (!cron.months.has(month.getUTCMonth() + 1)) continue
    const days = daysOf(month).filter((day) => cron.matchesDay(day.getUTCDate(), day.getUTCDay()))
    for (const day of direction === 1 ? days : days.reverse()) yield day.getTime()
  }
}

function daysOf(month: Date): Date[] {
  const count = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate()
  return Array.from({ length: count }, (_, index) => new Date(month.getTime() + index * dayMs))
}
