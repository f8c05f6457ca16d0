import type { HistoryBar } from '../../charts/history-chart.tsx'
import { countWords, percentWords } from '../../components/numbers/count-words.ts'
import type { Body } from '../../data/api.ts'

export type Counts = Body<'getWorkspaceCounts'>
export type CountsRange = Counts['range']

export const rangeNames: Record<CountsRange, string> = {
  '24h': 'The last 24 hours',
  '7d': 'The last 7 days',
  '30d': 'The last 30 days',
}

const hourName = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const dayName = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })

/** A failed attempt counts at once: a delivery is given up only after a day. */
export function toBars({ range, hours }: Counts): HistoryBar[] {
  return rangeBars(
    range,
    hours.map(({ hour, recorded, failedAttempts }) => ({ hour, good: recorded, failed: failedAttempts })),
  )
}

/** One bar for each hour of a day, else one for each day in the reader's time zone. The last one is not over. */
export function rangeBars(range: CountsRange, hours: { hour: string; good: number; failed: number }[]): HistoryBar[] {
  const named = hours.map((one) => ({
    ...one,
    label: (range === '24h' ? hourName : dayName).format(new Date(one.hour)),
  }))
  const groups = range === '24h' ? named.map((one) => [one]) : [...Map.groupBy(named, ({ label }) => label).values()]
  return groups.map((group, at) => ({
    label: group[0]?.label ?? '',
    good: sum(group.map(({ good }) => good)),
    failed: sum(group.map(({ failed }) => failed)),
    isOpen: at === groups.length - 1,
  }))
}

/** The chart in one sentence, for screen readers. */
export function summaryOf({ range, total }: Counts): string {
  const { recorded, delivered, failedAttempts } = total
  return `${rangeNames[range]}: ${countWords(recorded, 'alert')}, ${countWords(delivered, 'delivery', 'deliveries')} arrived, ${countWords(failedAttempts, 'attempt')} failed`
}

/** The last 24 hours in a few words. The share is the success rate of the destinations together. */
export function dayInWords({ total: { recorded, delivered, failedAttempts } }: Counts): string {
  const attempts = delivered + failedAttempts
  const share = attempts === 0 ? '' : `, ${percentWords(delivered / attempts)} of delivery attempts succeeded`
  return `${countWords(recorded, 'alert')} in the last 24 hours${share}`
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
