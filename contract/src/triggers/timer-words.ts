import { periodWords } from './durations.ts'

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** The interval of a timer: “Every 5 minutes”, “Every weekday at 09:00 (Europe/Paris)”. */
export function timerWords(interval: string, timezone: string | undefined): string {
  const fields = interval.trim().split(/\s+/)
  if (fields.length !== 5) return `Every ${periodWords(interval.trim()) || '…'}`
  const words = cronWords(fields)
  return / at |^At /.test(words) ? `${words} (${timezone ?? 'UTC'})` : words
}

/** The usual forms of cron fields. Others are shown as they are. */
function cronWords(fields: readonly string[]): string {
  const [minute = '', hour = '', date, month, day = ''] = fields
  if (date === '*' && month === '*') {
    const step = /^\*\/(\d+)$/.exec(minute)?.[1]
    if (hour === '*' && day === '*' && minute === '*') return 'Every minute'
    if (hour === '*' && day === '*' && dividesHour(step)) return `Every ${periodWords(`${Number(step)}m`)}`
    if (hour === '*' && day === '*' && isNumber(minute)) return `Every hour, at minute ${Number(minute)}`
    const when = dayWords(day)
    if (when && isNumber(minute) && isNumber(hour))
      return `${when} at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  }
  return `At the times of the cron schedule ${fields.join(' ')}`
}

// A step that does not divide the hour begins again at each hour: */40 fires at minute 0 and 40.
function dividesHour(step: string | undefined): step is string {
  return step !== undefined && 60 % Number(step) === 0
}

function dayWords(day: string): string | undefined {
  if (day === '*') return 'Every day'
  if (day === '1-5') return 'Every weekday'
  const name = isNumber(day) ? days[Number(day) % 7] : undefined
  return name && `Every ${name}`
}

function isNumber(text: string): boolean {
  return /^\d{1,2}$/.test(text)
}
