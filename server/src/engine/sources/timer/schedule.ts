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
import { lastCronMs, nextCronMs } from './cron-schedule.ts'

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
