import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkTimer, scheduleOf } from './schedule.ts'
import { sampleTick } from './timer-item.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

/** All ticks from one time up to another, as ISO times. */
function ticks(interval: string, timezone: string, from: string, to: string): string[] {
  const schedule = scheduleOf({ type: 'timer', interval, timezone })
  const found: string[] = []
  for (let last = Date.parse(from), now = last; now <= Date.parse(to); now += minuteMs) {
    const tick = schedule?.lastTickMs(now) ?? 0
    if (tick > last) found.push(new Date(tick).toISOString().slice(5, 16))
    last = Math.max(last, tick)
  }
  return found
}

test('a local time that the clocks skip fires once, at the moment of the jump', () => {
  expect(ticks('30 2 * * *', 'Europe/Paris', '2026-03-28T00:00Z', '2026-03-31T00:00Z')).toEqual([
    '03-28T01:30',
    '03-29T01:00',
    '03-30T00:30',
  ])
})

test('a local time that the clocks show twice fires the first time', () => {
  expect(ticks('30 2 * * *', 'Europe/Paris', '2026-10-24T12:00Z', '2026-10-26T12:00Z')).toEqual([
    '10-25T00:30',
    '10-26T01:30',
  ])
  expect(ticks('0 * * * *', 'America/New_York', '2026-11-01T03:59Z', '2026-11-01T08:30Z')).toEqual([
    '11-01T04:00',
    '11-01T05:00',
    '11-01T07:00',
    '11-01T08:00',
  ])
})

test.each([
  ['0 9 * * 1-5', '2026-11-13T09:00Z', '2026-11-15T12:00Z'],
  ['0 9 * * MON-fri', '2026-11-13T09:00Z', '2026-11-15T12:00Z'],
  ['0 9 * * SAT-SUN', '2026-11-15T09:00Z', '2026-11-16T12:00Z'],
  ['0 9 * * 7', '2026-11-15T09:00Z', '2026-11-16T12:00Z'],
  ['0 9 13 * 1', '2026-11-13T09:00Z', '2026-11-15T12:00Z'],
  ['0 9 */2 * 1', '2026-11-09T09:00Z', '2026-11-15T12:00Z'],
  ['5/20 10-12/2 * JAN,nov *', '2026-11-15T12:45Z', '2026-11-15T13:00Z'],
  ['0 0 29 2 *', '2024-02-29T00:00Z', '2026-11-15T13:00Z'],
  ['0 0 29 2 */7', '2004-02-29T00:00Z', '2026-11-15T13:00Z'],
])('%s fired last at %s when it is %s', (interval, last, now) => {
  expect(scheduleOf({ type: 'timer', interval })?.lastTickMs(Date.parse(now))).toBe(Date.parse(last))
})

test.each([
  ['* * * *', undefined, 'interval', 'must have five cron fields'],
  ['0 0 * * * *', undefined, 'interval', 'not 6'],
  ['60 * * * *', undefined, 'interval', 'minute must be from 0 to 59, not "60"'],
  ['0 9 * * MON-XYZ', undefined, 'interval', 'day of week must be from 0 to 7'],
  ['0 9 * * 5-1', undefined, 'interval', 'ends before it starts'],
  ['*/0 * * * *', undefined, 'interval', 'a step of at least 1'],
  ['0 9 1,,2 * *', undefined, 'interval', 'day of month must be *'],
  ['0 9 -1 * *', undefined, 'interval', 'day of month must be *'],
  ['0 0 30 2 *', undefined, 'interval', 'would never fire'],
  ['0 0 31 2,4,6 *', undefined, 'interval', 'would never fire'],
  ['@daily', undefined, 'interval', 'five cron fields'],
  ['0 9 * * *', 'Europe/Atlantis', 'timezone', 'IANA'],
  ['0 9 * * *', '+01:00', 'timezone', 'IANA'],
  ['5m', 'Europe/Paris', 'timezone', 'only for an interval of five cron fields'],
])('the interval %j with the time zone %j has an issue at %s: %s', (interval, timezone, path, message) => {
  expect(checkTimer({ type: 'timer', interval, timezone }, 'triggerSpec')).toEqual([
    { path: `triggerSpec.${path}`, message: expect.stringContaining(message) },
  ])
})

test('a test of cron fields sees the last scheduled time, and one of a duration the time of the test', () => {
  const now = Date.parse('2026-11-16T11:07:03Z')
  const scheduled = Date.parse('2026-11-16T09:00Z')
  expect(sampleTick({ type: 'timer', interval: '0 9 * * *' }, now).timestampMs).toBe(scheduled)
  expect(sampleTick({ type: 'timer', interval: '5m' }, now).timestampMs).toBe(now)
})

const zones = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Africa/Casablanca',
]

/** Minutes around the changes of the clocks in three years, each with its local time, written as if it were UTC. */
const windows = zones.flatMap((zone) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const localOf = (atMs: number) => {
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = format.format(atMs).match(/\d+/g)?.map(Number) ?? []
    return Date.UTC(year, month - 1, day, hour, minute)
  }
  const days = Array.from({ length: 3 * 365 }, (_, day) => Date.UTC(2025, 0, 1) + day * dayMs)
  const changes = days.filter((day) => localOf(day) - day !== localOf(day + dayMs) - day - dayMs)
  return [...changes, Date.UTC(2028, 1, 28)].map((day) => ({
    zone,
    minutes: Array.from({ length: 2160 }, (_, minute) => {
      const atMs = day - dayMs / 4 + minute * minuteMs
      return { atMs, local: localOf(atMs) }
    }),
  }))
})

type Sets = { minutes: number[]; hours: number[]; days: number[] | undefined; weekdays: number[] | undefined }

/** Walks minute by minute. A minute fires if the clocks show, or jump over, a matching local time for the first time. */
function oracle({ minutes }: (typeof windows)[number], sets: Sets): number[] {
  const isDay = (day: number, weekday: number) => {
    if (sets.days && sets.weekdays) return sets.days.includes(day) || sets.weekdays.includes(weekday)
    return (sets.days ?? [day]).includes(day) && (sets.weekdays ?? [weekday]).includes(weekday)
  }
  const matches = (local: Date) =>
    sets.minutes.includes(local.getUTCMinutes()) &&
    sets.hours.includes(local.getUTCHours()) &&
    isDay(local.getUTCDate(), local.getUTCDay())
  let shown = minutes[0]?.local ?? 0
  return minutes.flatMap(({ atMs, local }) => {
    let fires = false
    for (; shown < local; ) {
      shown += minuteMs
      fires ||= matches(new Date(shown))
    }
    return fires ? [atMs] : []
  })
}

const some = (min: number, max: number) => fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 6 })

test('cron fires at the same minutes as a walk minute by minute over the changes of the clocks', () => {
  const sets = fc.record({
    minutes: some(0, 59),
    hours: some(0, 4),
    days: fc.option(some(1, 28), { nil: undefined }),
    weekdays: fc.option(some(0, 6), { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.constantFrom(...windows), sets, (window, sets) => {
      const interval = [sets.minutes, sets.hours, sets.days ?? '*', '*', sets.weekdays ?? '*'].join(' ')
      const schedule = scheduleOf({ type: 'timer', interval, timezone: window.zone })
      let last = window.minutes[0]?.atMs ?? 0
      const seen = window.minutes.flatMap(({ atMs }) => {
        const tick = schedule?.lastTickMs(atMs) ?? 0
        if (tick <= last) return []
        last = tick
        return [tick]
      })
      expect(seen).toEqual(oracle(window, sets))
    }),
    { numRuns: 150 },
  )
})
