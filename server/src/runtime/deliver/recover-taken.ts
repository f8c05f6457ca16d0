import type { LaneDeps, LaneTurn } from './lane-deps.ts'

/**
 * A process may die after it sent a delivery and before it recorded the result. Such deliveries are marked as possibly
 * delivered, so that a later reorg retracts them too. If their alert is already retracted, a retraction is added now.
 */
export async function recoverTaken(
  { resourceId, owner, previousOwners }: LaneTurn,
  { store, clock }: LaneDeps,
): Promise<void> {
  if (previousOwners.length === 0) return
  await store.tx(async (store) => {
    if (!(await store.lanes.lock(resourceId, owner))) return
    const now = clock()
    const taken = await store.lanes.recoverTaken(previousOwners)
    // Every transaction locks alerts before deliveries, so that two of them cannot deadlock.
    const retracted = new Set(await store.deliveries.lockAlerts(await store.deliveries.findAlertIds(taken)))
    const possiblyDelivered = await store.deliveries.markMayHaveArrived(taken, now)
    const late = possiblyDelivered.filter(({ alertId }) => retracted.has(alertId)).map(({ id }) => id)
    await store.deliveries.addRetractions(late, now)
  })
}
