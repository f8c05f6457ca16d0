import type { Severity } from '@tocsin/contract'
import { type Alert, type AlertStatus, statuses } from '../../layouts/alert/alert-status.ts'

/** The filters of the feed. They are in the URL, so that a link shows the same alerts. */
export type AlertFilters = {
  q?: string
  range?: RangeName
  project?: string
  trigger?: string
  subscription?: string
  status?: AlertStatus
  severity?: Severity
  state?: State
}
type State = NonNullable<Alert['state']>
export type RangeName = keyof typeof ranges

const hourMs = 3_600_000
/** The time ranges, in milliseconds before now. */
export const ranges = { '1h': hourMs, '24h': 24 * hourMs, '7d': 168 * hourMs, '30d': 720 * hourMs }
export const rangeOptions: { value: RangeName; label: string }[] = [
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
]
/** Not the contract's schemas: the route table reads the filters, and schemas are 26 kB of the first load. */
export const severities: readonly Severity[] = ['info', 'warning', 'critical']
export const states: readonly State[] = ['firing', 'resolved']

export function readFilters(search: Record<string, unknown>): AlertFilters {
  const status = statuses.find(({ value }) => value === search.status)?.value
  const severity = severities.find((one) => one === search.severity)
  const state = states.find((one) => one === search.state)
  const range = rangeOptions.find(({ value }) => value === search.range)?.value
  return {
    ...(typeof search.q === 'string' && search.q.trim() !== '' && { q: search.q.slice(0, 200) }),
    ...(range !== undefined && { range }),
    ...(typeof search.project === 'string' && { project: search.project }),
    ...(typeof search.trigger === 'string' && { trigger: search.trigger }),
    ...(typeof search.subscription === 'string' && { subscription: search.subscription }),
    ...(status !== undefined && { status }),
    ...(severity !== undefined && { severity }),
    ...(state !== undefined && { state }),
  }
}

/** Applies the filters of a list to an alert of the stream, as the service does. New alerts are in every time range. */
export function matchesFilters(alert: Alert, filters: AlertFilters): boolean {
  const { q, project, trigger, subscription, status, severity, state } = filters
  return (
    (q === undefined || hasWords(alert, q)) &&
    (project === undefined || alert.project === project) &&
    (trigger === undefined || alert.trigger === trigger) &&
    (subscription === undefined || alert.subscription === subscription) &&
    (status === undefined || alert.status === status) &&
    (severity === undefined || alert.severity === severity) &&
    (state === undefined || alert.state === state)
  )
}

function hasWords({ message: { title, short = '', long = '' }, trigger }: Alert, words: string): boolean {
  return [title, short, long, trigger].join(' ').toLowerCase().includes(words.trim().toLowerCase())
}
