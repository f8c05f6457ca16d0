import { useNow } from '../relative-time.tsx'

const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** A time with seconds; another day also shows its date. */
export function ClockTime({ at }: { at: string }) {
  const now = useNow()
  const date = new Date(at)
  const isToday = date.toDateString() === new Date(now).toDateString()
  return (
    <time dateTime={at} title={`${exact.format(date)} (${at})`}>
      {!isToday && `${day.format(date)}, `}
      {time.format(date)}
    </time>
  )
}
