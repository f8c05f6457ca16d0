import type { PendingDelivery, TakeQuery } from '../../store/alerts/deliveries.ts'
import type { Parts } from './parts.ts'

/** Takes what waits, with what it says: as this process has just written it, or else from the store. */
export async function take(
  query: TakeQuery,
  { store, recentAlerts }: Pick<Parts, 'store' | 'recentAlerts'>,
): Promise<PendingDelivery[]> {
  const taken = await store.deliveries.take(query)
  const known = taken.map(({ alert_id, kind }) => (kind === 'alert' ? recentAlerts?.find(alert_id) : undefined))
  const read = await store.deliveries.contents(taken.flatMap(({ id }, at) => (known[at] ? [] : id)))
  return taken.flatMap((delivery, at): PendingDelivery[] => {
    const { id, alert_id, kind, attempts, attempts_count, createdMs, dueMs } = delivery
    const content = known[at]
    const said = content ? { content, reference: null } : read.get(id)
    // Deleted since, and its alert with it.
    return said ? [{ id, alert_id, kind, attempts, attempts_count, createdMs, dueMs, ...said }] : []
  })
}
