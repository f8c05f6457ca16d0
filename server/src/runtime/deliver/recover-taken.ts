import type { DeliverDeps, LaneTurn } from './lane-deps.ts'

/**
 * A process may die after it sent a delivery and before it recorded the result. Such deliveries are marked as possibly
 * delivered, so that a later reorg retracts them too. If their alert is already retracted, a retraction is added now.
 */
export async function recoverTaken(
  turns: readonly LaneTurn[],
  { store, clock }: Pick<DeliverDeps, 'store' | 'clock'>,
): Promise<undefined[]> {
  await store.tx(async (store) => {
    const locked = await store.lanes.lock(turns)
    const now = clock()
    const previous = turns.filter(({ resourceId }) => locked.has(resourceId)).flatMap((turn) => turn.previousOwners)
    const taken = await store.foldedDeliveries.withMembers(await store.lanes.recoverTaken(previous))
    // Every transaction locks alerts before deliveries, so that two of them cannot deadlock.
    const retracted = new Set(await store.deliveries.lockAlerts(await store.deliveries.findAlertIds(taken)))
    const possiblyDelivered = await store.deliveries.markMayHaveArrived(taken, now)
    const late = possiblyDelivered.filter(({ alertId }) => retracted.has(alertId)).map(({ id }) => id)
    await store.deliveries.addRetractions(late, now)
  })
  return turns.map(() => undefined)
}
