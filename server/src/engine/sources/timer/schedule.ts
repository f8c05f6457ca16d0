import {
  type Cron,
  cronFieldsOf,
  type Issue,
  isTimeZone,
  parseCron,
  parseDurationMs,
  type TimerSpec,
} from '@tocsin/contract'
import { issueUnless } from '../../base/issue-unless.ts'
import { makeLruCache } from '../../base/lru-cache.ts'

const intervalMinMs = 10_000
const intervalMaxMs = 30 * 86_400_000
const zoneDefault = 'UTC'

/** When a timer ticks. */
export type Schedule = {
  /** The last scheduled time at or before `nowMs`. */
  lastTickMs(nowMs: number): number
  isCron: boolean
}

export function checkTimer({ interval, timezone }: TimerSpec, path: string): Issue[] {
  const words = cronFieldsOf(interval)
  if (!words)
    return [
      ...checkDuration(interval, `${path}.interval`),
      ...issueUnless(timezone === undefined, `${path}.timezone`, 'is only for an interval of five cron fields'),
    ]
  const parsed = parseCron(words)
  return [
    ...(parsed.ok ? [] : [{ path: `${path}.interval`, message: parsed.message }]),
    ...issueUnless(
      timezone === undefined || isTimeZone(timezone),
      `${path}.timezone`,
      'must be a time zone of the IANA database, such as Europe/Paris',
    ),
  ]
}

function checkDuration(interval: string, path: string): Issue[] {
  const ms = parseDurationMs(interval)
  if (ms === undefined)
    return [
      { path, message: 'must be a duration such as 30s, 5m, 1h30m or 1d, or five cron fields such as 0 9 * * 1-5' },
    ]
  return issueUnless(ms >= intervalMinMs && ms <= intervalMaxMs, path, 'must be from 10s to 30d')
}

/** Undefined for a spec that `checkTimer` refuses. */
export function scheduleOf({ interval, timezone = zoneDefault }: TimerSpec): Schedule | undefined {
  const words = cronFieldsOf(interval)
  if (!words) {
    const ms = parseDurationMs(interval)
    return ms ? { isCron: false, lastTickMs: (nowMs) => Math.floor(nowMs / ms) * ms } : undefined
  }
  const parsed = parseCron(words)
  return parsed.ok && isTimeZone(timezone) ? cronSchedule(parsed.cron, timezone) : undefined
}

/** The first time after `nowMs` at which cron fields fire; undefined for fields or a zone that the contract refuses. */
export function nextTickMs(fields: string, timezone: string | undefined, nowMs: number): number | undefined {
  const parsed = parseCron(fields.trim().split(/\s+/))
  return parsed.ok ? nextCronMs(parsed.cron, timezone ?? zoneDefault, nowMs) : undefined
}

/** Remembers the two ticks around the last question: a timer is asked several times a second, and a search costs more. */
function cronSchedule(cron: Cron, zone: string): Schedule {
  let last = Number.POSITIVE_INFINITY
  let next = Number.NEGATIVE_INFINITY
  return {
    isCron: true,
    lastTickMs(nowMs) {
      if (nowMs < last || nowMs >= next) {
        last = lastCronMs(cron, zone, nowMs) ?? Number.NEGATIVE_INFINITY
        next = nextCronMs(cron, zone, nowMs) ?? Number.POSITIVE_INFINITY
      }
      return last
    },
  }
}

/**
 * The instants at which cron fields fire in a time zone. Every matching local time fires exactly once: one that the clocks
 * skip fires at the moment of the jump, one that they show twice fires the first time. Later local times never give
 * earlier instants, so a search over local times finds the neighbours of an instant.
 */
const dayMs = 86_400_000
/** A Sunday that is February 29 can take 40 years to come, because 2100 is no leap year. */
const searchMonths = 41 * 12

function lastCronMs(cron: Cron, zone: string, nowMs: number): number | undefined {
  for (const local of localTimes(cron, latestLocalMs(zone, nowMs), -1)) {
    const instant = instantOf(zone, local)
    if (instant <= nowMs) return instant
  }
  return undefined
}

function nextCronMs(cron: Cron, zone: string, nowMs: number): number | undefined {
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

const formatsMax = 600
const formats = makeLruCache<Intl.DateTimeFormat>(formatsMax)
const offsetPattern = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/
/** No zone has ever moved its clocks by more than a day. */
const longestShiftMs = 26 * 3_600_000

/** The local time minus UTC, in milliseconds. */
function offsetMs(zone: string, atMs: number): number {
  const text = formatIn(zone).format(atMs)
  const found = offsetPattern.exec(text)
  if (!found) throw new Error(`cannot read the offset of ${zone} from "${text}"`)
  const [, sign, hours = 0, minutes = 0, seconds = 0] = found
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -ms : ms
}

/**
 * Finds the instant of a local time, which is written as if it were UTC. A local time that exists twice gives the first
 * instant. One that the clocks skip gives the moment of the jump.
 */
function instantOf(zone: string, localMs: number): number {
  const before = offsetMs(zone, localMs - longestShiftMs)
  const after = offsetMs(zone, localMs + longestShiftMs)
  const instants = [localMs - before, localMs - after].sort((a, b) => a - b)
  const existing = instants.find((instant) => instant + offsetMs(zone, instant) === localMs)
  return existing ?? findJump(zone, before, instants)
}

/** The latest local time that any clock of the zone has shown by this instant, also before it was set back. */
function latestLocalMs(zone: string, atMs: number): number {
  return atMs + Math.max(offsetMs(zone, atMs), offsetMs(zone, atMs - longestShiftMs))
}

/** Searches the first instant at which the offset is no longer the one before the jump. */
function findJump(zone: string, before: number, [from = 0, to = 0]: readonly number[]): number {
  let low = from
  let high = to
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetMs(zone, middle) === before) low = middle
    else high = middle
  }
  return high
}

function formatIn(zone: string): Intl.DateTimeFormat {
  return formats.get(
    zone,
    () => new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' }),
  )
}
