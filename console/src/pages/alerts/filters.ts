import { Severity } from '@tocsin/contract'
import { type Alert, type AlertStatus, statuses } from './alert-status.ts'

/** The filters of the feed. They are in the URL, so that a link shows the same alerts. */
export type AlertFilters = {
  project?: string
  trigger?: string
  subscription?: string
  status?: AlertStatus
  severity?: Severity
}

export function readFilters(search: Record<string, unknown>): AlertFilters {
  const status = statuses.find(({ value }) => value === search.status)?.value
  const severity = Severity.options.find((one) => one === search.severity)
  return {
    ...(typeof search.project === 'string' && { project: search.project }),
    ...(typeof search.trigger === 'string' && { trigger: search.trigger }),
    ...(typeof search.subscription === 'string' && { subscription: search.subscription }),
    ...(status !== undefined && { status }),
    ...(severity !== undefined && { severity }),
  }
}

/** Applies the filters of a list to an alert of the stream, as the service does. */
export function matchesFilters(alert: Alert, filters: AlertFilters): boolean {
  const { project, trigger, subscription, status, severity } = filters
  return (
    (project === undefined || alert.project === project) &&
    (trigger === undefined || alert.trigger === trigger) &&
    (subscription === undefined || alert.subscription === subscription) &&
    (status === undefined || alert.status === status) &&
    (severity === undefined || alert.severity === severity)
  )
}
