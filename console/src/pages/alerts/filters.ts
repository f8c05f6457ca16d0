import { type Alert, type AlertStatus, statuses } from './alert-status.ts'

/** What narrows the feed; it stands in the address, so that a link shows the same. */
export type AlertFilters = { project?: string; trigger?: string; subscription?: string; status?: AlertStatus }

export function readFilters(search: Record<string, unknown>): AlertFilters {
  const status = statuses.find(({ value }) => value === search.status)?.value
  return {
    ...(typeof search.project === 'string' && { project: search.project }),
    ...(typeof search.trigger === 'string' && { trigger: search.trigger }),
    ...(typeof search.subscription === 'string' && { subscription: search.subscription }),
    ...(status !== undefined && { status }),
  }
}

/** The same question the service answers for a list, asked of an alert that came by the stream. */
export function fits(alert: Alert, { project, trigger, subscription, status }: AlertFilters): boolean {
  return (
    (project === undefined || alert.project === project) &&
    (trigger === undefined || alert.trigger === trigger) &&
    (subscription === undefined || alert.subscription === subscription) &&
    (status === undefined || alert.status === status)
  )
}
