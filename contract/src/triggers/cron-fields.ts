export type Cron = {
  minutes: readonly number[]
  hours: readonly number[]
  months: ReadonlySet<number>
  matchesDay: (dayOfMonth: number, weekday: number) => boolean
}
export type ParsedCron = { ok: true; cron: Cron } | { ok: false; message: string }

type Field = { name: string; min: number; max: number; names?: readonly string[] }
const fields: readonly Field[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ') },
  { name: 'day of week', min: 0, max: 7, names: 'SUN MON TUE WED THU FRI SAT'.split(' ') },
]
/** February 29 exists, only not every year. */
const longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** True for a name of the IANA database. Offsets such as +01:00 are no names. */
export function isTimeZone(zone: string): boolean {
  if (!/^[a-z]/i.test(zone)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Splits a text into cron fields. A text with one word is a duration, not cron. */
export function cronFieldsOf(interval: string): string[] | undefined {
  const words = interval.trim().split(/\s+/)
  return words.length > 1 ? words : undefined
}

/** Parses five fields with the rules of Vixie cron: lists, ranges, steps, names, and 7 as Sunday. */
export function parseCron(words: readonly string[]): ParsedCron {
  if (words.length !== fields.length)
    return {
      ok: false,
      message: `must have five cron fields (minute, hour, day of month, month, day of week), not ${words.length}`,
    }
  const sets: Set<number>[] = []
  for (const [index, field] of fields.entries()) {
    const values = parseField(words[index] ?? '', field)
    if (typeof values === 'string') return { ok: false, message: `${field.name} ${values}` }
    sets.push(values)
  }
  const [minutes = new Set(), hours = new Set(), days = new Set(), months = new Set(), weekdays = new Set()] = sets
  // Vixie cron: if both day fields are restricted, one of them is enough. A field that starts with * is not restricted.
  const isEither = ![words[2], words[4]].some((word) => word?.startsWith('*'))
  if (!isEither && ![...months].some((month) => [...days].some((day) => day <= (longestMonths[month - 1] ?? 0))))
    return { ok: false, message: 'names a day that no month has, so it would never fire' }
  return { ok: true, cron: { minutes: sorted(minutes), hours: sorted(hours), months, matchesDay } }

  function matchesDay(day: number, weekday: number): boolean {
    return isEither ? days.has(day) || weekdays.has(weekday) : days.has(day) && weekdays.has(weekday)
  }
}

/** Returns the values, or what is wrong with the field. */
function parseField(word: string, field: Field): Set<number> | string {
  const values = new Set<number>()
  for (const part of word.split(',')) {
    const range = parsePart(part, field)
    if (typeof range === 'string') return range
    for (let value = range.from; value <= range.to; value += range.step)
      values.add(field.name === 'day of week' ? value % 7 : value)
  }
  return values
}

const partPattern = /^(?:\*|([a-z]{3}|\d{1,2})(?:-([a-z]{3}|\d{1,2}))?)(?:\/(\d{1,2}))?$/i

function parsePart(part: string, field: Field): { from: number; to: number; step: number } | string {
  const { min, max } = field
  const found = partPattern.exec(part)
  if (!found) return `must be *, a number, a range, a step or a list of them, not "${part.slice(0, 40)}"`
  const [, first, last, everyText] = found
  const step = Number(everyText ?? 1)
  const from = first === undefined ? min : numberOf(first, field)
  const to =
    last === undefined ? endOfPart(first, from, everyText, field) : endOfRange(from, numberOf(last, field), field)
  if (step < 1) return 'must have a step of at least 1'
  if (!(from >= min && to <= max)) return `must be from ${min} to ${max}, not "${part}"`
  return from <= to ? { from, to, step } : `has a range that ends before it starts: "${part}"`
}

/** `*` and a step after one number run to the end of the field. */
function endOfPart(first: string | undefined, from: number, everyText: string | undefined, { max }: Field): number {
  const last = max === 7 ? 6 : max
  return first === undefined || (everyText !== undefined && from <= last) ? last : from
}

/** `SAT-SUN` ends on the Sunday after Saturday. */
function endOfRange(from: number, to: number, { max }: Field): number {
  return max === 7 && to === 0 && from > 0 ? 7 : to
}

/** NaN for a name that the field does not have. */
function numberOf(text: string, { min, names = [] }: Field): number {
  if (/^\d/.test(text)) return Number(text)
  const index = names.indexOf(text.toUpperCase())
  return index < 0 ? Number.NaN : index + min
}

function sorted(values: ReadonlySet<number>): number[] {
  return [...values].sort((a, b) => a - b)
}
