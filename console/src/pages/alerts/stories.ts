import type { Alert } from '../../layouts/alert/alert-status.ts'

/** One line of the feed: an alert, with the firing alert that it resolved if both are listed. */
export type Story = { alert: Alert; fired: Alert | undefined }

/** The story of a resolved alert is in its place, so it moves to the top when it resolves. A retracted alert resolves nothing. */
export function storiesOf(alerts: readonly Alert[]): Story[] {
  const firing = new Map(alerts.flatMap((alert) => (alert.state === 'firing' ? [[alert.id, alert] as const] : [])))
  const firedOf = ({ resolves, status }: Alert) =>
    resolves === undefined || status === 'retracted' ? undefined : firing.get(resolves)
  const joined = new Set(alerts.map((alert) => firedOf(alert)?.id))
  return alerts.filter(({ id }) => !joined.has(id)).map((alert) => ({ alert, fired: firedOf(alert) }))
}
