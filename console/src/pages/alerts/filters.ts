import type { Item } from '../../data/api.ts'

export type Alert = Item<'listAlerts'>
export type AlertStatus = Alert['status']

export const statuses: { value: AlertStatus; label: string }[] = [
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered / In app only' },
  { value: 'failed', label: 'Failed' },
  { value: 'retracted', label: 'Retracted' },
  { value: 'collected', label: 'Queued for digest' },
  { value: 'digested', label: 'Sent in a digest' },
]

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

/** An alert without a destination counts as delivered, which is not what a person would call it. */
export function standingOf({
  status,
  hasDeliveries,
  retryError,
}: Pick<Alert, 'status' | 'hasDeliveries' | 'retryError'>) {
  if (status === 'pending' && retryError !== undefined) return { value: 'retrying', label: 'Retrying' }
  if (status === 'delivered') return hasDeliveries ? { value: status, label: 'Delivered' } : listedOnly
  return { value: status, label: statuses.find(({ value }) => value === status)?.label ?? status }
}
const listedOnly = { value: 'listed', label: 'In app only' }
