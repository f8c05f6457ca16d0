import type { Parts, Turn } from './parts.ts'

/**
 * What holders before had taken when they died may have arrived: that is kept, for whoever takes it back later, and said
 * where it was taken back meanwhile.
 */
export async function inherit({ resourceId, owner, before }: Turn, { store, clock }: Parts): Promise<void> {
  if (before.length === 0) return
  await store.tx(async (store) => {
    if (!(await store.lanes.lock(resourceId, owner))) return
    const now = clock()
    const left = await store.lanes.inherit(before)
    // Alerts before deliveries, as everywhere.
    const retracted = new Set(await store.deliveries.lockAlerts(await store.deliveries.alertsOf(left)))
    const open = await store.deliveries.mayHaveArrived(left, now)
    const late = open.filter(({ alertId }) => retracted.has(alertId)).map(({ id }) => id)
    await store.deliveries.addRetractions(late, now)
  })
}
