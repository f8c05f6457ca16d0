import type { AlertContent, OpenBatch, PendingDelivery, TakeQuery } from '../../store/alerts/deliveries.ts'
import { batchSizeMax, type TakenBatch } from '../../store/alerts/delivery-batches.ts'
import type { DeliverDeps } from './lane-deps.ts'

/**
 * Takes batches for several lanes, and returns their deliveries with the content of their alerts. Many lanes may each take a
 * few deliveries only. Then larger batches are unpacked.
 */
export async function takePacked(
  lanes: readonly TakeQuery[],
  { store, recentAlerts }: Pick<DeliverDeps, 'store' | 'recentAlerts'>,
): Promise<PendingDelivery[]> {
  const limit = Math.min(...lanes.map((lane) => lane.limit))
  if (limit < batchSizeMax)
    await store.deliveryBatches.unpackLarger(
      lanes.map(({ resourceId }) => resourceId),
      limit,
    )
  const batches = await store.deliveryBatches.take(lanes)
  const alertIds = batches.flatMap((batch) => batch.alertIds)
  const cached = alertIds.map((id) => recentAlerts?.find(id))
  const stored = await store.deliveries.findPackedContents(alertIds.filter((_, at) => !cached[at]))
  let at = 0
  return batches.flatMap((batch) => {
    const contents = batch.alertIds.map((id) => cached[at++] ?? stored.get(id))
    return deliveriesOf(batch, contents)
  })
}

/** Without content the alert was deleted meanwhile, and the batch was unpacked. */
function deliveriesOf(
  { id: batchId, resourceId: resource_id, ids, alertIds, createdMs }: TakenBatch,
  contents: readonly (AlertContent | undefined)[],
): PendingDelivery[] {
  const batch: OpenBatch = { id: batchId, left: ids.length }
  const deliveries: PendingDelivery[] = []
  for (const [at, id] of ids.entries()) {
    const content = contents[at]
    const alert_id = alertIds[at]
    if (content === undefined || alert_id === undefined) continue
    // Each property is named, because this runs for every delivery, and spreading an object costs more than the rest.
    deliveries.push({
      id,
      resource_id,
      alert_id,
      kind: 'alert',
      attempts: null,
      attempts_count: 0,
      createdMs,
      dueMs: createdMs,
      repeat: 0,
      content,
      reference: null,
      batch,
    })
  }
  return deliveries
}
