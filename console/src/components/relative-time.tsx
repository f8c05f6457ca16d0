import { Tooltip } from '@mantine/core'
import { useSyncExternalStore } from 'react'

const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' })
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** “3 minutes ago”; the exact time on hover, focus or touch. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow()
  const date = new Date(at)
  return (
    <Tooltip label={`${exact.format(date)} (${at})`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable by keyboard */}
      <time dateTime={at} tabIndex={0}>
        {relative(date.getTime() - now)}
      </time>
    </Tooltip>
  )
}

/** The current time. It is updated every 15 seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, readNow)
}

export function relative(differenceMs: number): string {
  // Clocks differ a little, so a time up to 2 s ahead counts as now.
  const seconds = differenceMs > 0 && differenceMs < 2_000 ? 0 : Math.round(differenceMs / 1000)
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? []
  if (unit === undefined || size === undefined) return seconds > 0 ? 'in a moment' : 'just now'
  return format.format(Math.trunc(seconds / size), unit)
}

/** One timer updates all times on the page. */
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  now = Date.now()
  listeners.add(listener)
  timer ??= setInterval(tick, 15_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

function readNow(): number {
  return now
}
