import type { PendingDelivery, TakeQuery } from '../../store/deliveries.ts'
import type { Parts } from './parts.ts'

/** Takes what waits, with what it says: as this process has just written it, or else from the store. */
export async function take(
  query: TakeQuery,
  { store, fresh }: Pick<Parts, 'store' | 'fresh'>,
): Promise<PendingDelivery[]> {
  const taken = await store.deliveries.take(query)
  const known = new Map(
    taken.flatMap(({ id, alert_id, kind }) => {
      const content = kind === 'alert' ? fresh?.find(alert_id) : undefined
      return content ? [[id, { ...content, reference: null }] as const] : []
    }),
  )
  const read = await store.deliveries.contents(taken.flatMap(({ id }) => (known.has(id) ? [] : id)))
  return taken.flatMap((delivery) => {
    const content = known.get(delivery.id) ?? read.get(delivery.id)
    // Deleted since, and its alert with it.
    return content ? [{ ...delivery, ...content }] : []
  })
}
