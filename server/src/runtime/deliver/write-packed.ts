import type { OpenBatch } from '../../store/alerts/deliveries.ts'
import type { PackedDelivery } from '../../store/alerts/delivery-batches.ts'
import type { Store } from '../../store/index.ts'
import { type Attempted, attemptOf, isSimple } from './schedule.ts'
import type { TurnRecord } from './turn-record.ts'

/**
 * Adds rows for the deliveries of batches. If all attempts of a lane are simple, the rows say that they arrived, and these
 * attempts are done. Returns the records with the attempts that are left; their deliveries have rows that are pending.
 */
export async function writePacked(store: Store, records: readonly TurnRecord[], now: Date): Promise<TurnRecord[]> {
  const withAttempts = records.filter(({ attempted }) => attempted.length > 0)
  const batches = new Map<string, OpenBatch>()
  for (const { attempted } of withAttempts)
    for (const { delivery } of attempted) if (delivery.batch) batches.set(delivery.batch.id, delivery.batch)
  if (batches.size === 0) return withAttempts
  const locked = await store.deliveryBatches.lock([...batches.keys()])
  const packed: PackedDelivery[] = []
  const left = withAttempts.map((record) => {
    const areSimple = record.attempted.every(isSimple)
    const others: Attempted[] = []
    for (const each of record.attempted) {
      const { id, alert_id: alertId, batch } = each.delivery
      const isPacked = batch !== undefined && locked.has(batch.id)
      if (isPacked)
        packed.push({ batchId: batch.id, id, alertId, firstSuccess: areSimple ? attemptOf(each) : undefined })
      if (!isPacked || !areSimple) others.push(each)
    }
    return { ...record, attempted: others }
  })
  await store.deliveryBatches.addRows(packed, endedBatches(packed, batches), now)
  return left.filter(({ attempted }) => attempted.length > 0)
}

/** The batches of which nothing is left after these deliveries. */
function endedBatches(packed: readonly PackedDelivery[], batches: ReadonlyMap<string, OpenBatch>): string[] {
  const counts = new Map<string, number>()
  for (const { batchId } of packed) counts.set(batchId, (counts.get(batchId) ?? 0) + 1)
  return [...counts].filter(([id, count]) => batches.get(id)?.left === count).map(([id]) => id)
}
