import type { Body, Item } from '../../data/api.ts'

export type Alert = Item<'listAlerts'>
/** One alert with its trace and deliveries. */
export type TracedAlert = Body<'getAlert'>
export type AlertStatus = Alert['status']

export const statuses: { value: AlertStatus; label: string }[] = [
  { value: 'waiting', label: 'Waiting for finality' },
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered / In app only' },
  { value: 'failed', label: 'Failed' },
  { value: 'retracted', label: 'Retracted' },
  { value: 'collected', label: 'Queued for digest' },
  { value: 'digested', label: 'Sent in a digest' },
]

/** The status to show. The service counts an alert without a destination as delivered; the console says “In app only”. */
export function statusOf({
  status,
  hasDeliveries,
  retryError,
}: Pick<Alert, 'status' | 'hasDeliveries' | 'retryError'>) {
  if (status === 'pending' && retryError !== undefined) return { value: 'retrying', label: 'Retrying' }
  if (status === 'delivered') return hasDeliveries ? { value: status, label: 'Delivered' } : inAppOnly
  return { value: status, label: statuses.find(({ value }) => value === status)?.label ?? status }
}
const inAppOnly = { value: 'listed', label: 'In app only' }
