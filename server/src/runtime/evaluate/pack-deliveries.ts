import { findDestination } from '../../engine/destinations/index.ts'
import type { NewAlert, NewDelivery } from '../../store/alerts/alert-writes.ts'
import type { NewBatch } from '../../store/alerts/delivery-batches.ts'

/** A single delivery to a resource gets a row of its own, because a batch costs as much. */
const packedMin = 2

type Rows = { alerts: readonly NewAlert[]; deliveries: readonly NewDelivery[] }

/**
 * Packs the pending deliveries to each resource into a batch, if its channel keeps no order and their alerts have no other
 * delivery. Alerts that fire and resolve are left out, because they refer to each other's deliveries. Returns the deliveries
 * that are not packed.
 */
export function packDeliveries({ alerts, deliveries }: Rows): {
  unpacked: readonly NewDelivery[]
  batches: NewBatch[]
} {
  if (deliveries.length < packedMin) return { unpacked: deliveries, batches: [] }
  const unpacked: NewDelivery[] = []
  const lanes = new Map<string, [NewDelivery, ...NewDelivery[]]>()
  const packable = packableAlerts(alerts, deliveries)
  for (const delivery of deliveries) {
    const isPackable = packable.has(delivery.alert_id) && findDestination(delivery.blueprint)?.ordered === false
    const lane = isPackable ? lanes.get(delivery.resource_id) : unpacked
    if (lane) lane.push(delivery)
    else lanes.set(delivery.resource_id, [delivery])
  }
  const batches: NewBatch[] = []
  for (const lane of lanes.values()) {
    if (lane.length < packedMin) unpacked.push(...lane)
    else batches.push(batchOf(lane))
  }
  return { unpacked, batches }
}

function packableAlerts(alerts: readonly NewAlert[], deliveries: readonly NewDelivery[]): ReadonlySet<string> {
  const packable = new Set<string>()
  for (const { id, status, state } of alerts) if (status === 'pending' && state === null) packable.add(id)
  const seen = new Set<string>()
  for (const { alert_id } of deliveries) {
    if (seen.has(alert_id)) packable.delete(alert_id)
    seen.add(alert_id)
  }
  return packable
}

function batchOf(lane: readonly [NewDelivery, ...NewDelivery[]]): NewBatch {
  const [{ resource_id, resource, blueprint }] = lane
  return {
    ...{ resource_id, resource, blueprint },
    ids: lane.map(({ id }) => id),
    alert_ids: lane.map(({ alert_id }) => alert_id),
  }
}
