import type { PendingDelivery, TakeQuery } from '../../store/alerts/deliveries.ts'
import type { LaneDeps } from './lane-deps.ts'

/**
 * Takes deliveries and adds the content of their alerts: from the cache of recent alerts, or else from the store. The
 * store writes down which deliveries the lane takes before the lane sends them.
 */
export async function takeDeliveries(
  query: TakeQuery,
  { store, recentAlerts }: Pick<LaneDeps, 'store' | 'recentAlerts'>,
): Promise<PendingDelivery[]> {
  const taken = await store.deliveries.take(query)
  const cached = taken.map(({ alert_id, kind }) => (kind === 'alert' ? recentAlerts?.find(alert_id) : undefined))
  const stored = await store.deliveries.findContents(taken.flatMap(({ id }, at) => (cached[at] ? [] : id)))
  return taken.flatMap((delivery, at): PendingDelivery[] => {
    const { id, alert_id, kind, attempts, attempts_count, createdMs, dueMs } = delivery
    const content = cached[at]
    const message = content ? { content, reference: null } : stored.get(id)
    // Without content the alert, and the delivery with it, was deleted meanwhile.
    return message ? [{ id, alert_id, kind, attempts, attempts_count, createdMs, dueMs, ...message }] : []
  })
}
