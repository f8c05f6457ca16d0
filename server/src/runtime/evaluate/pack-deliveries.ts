import { findDestination } from '../../engine/destinations/index.ts'
import type { NewAlert, NewDelivery } from '../../store/alerts/alert-writes.ts'
import { batchSizeMax, type NewBatch } from '../../store/alerts/delivery-batches.ts'

/** A single delivery to a resource gets a row of its own, because a batch costs as much. */
const packedMin = 2

export type Packed = { unpacked: NewDelivery[]; batches: NewBatch[] }
type Rows = { alerts: readonly NewAlert[]; deliveries: readonly NewDelivery[] }

/**
 * Packs the pending deliveries of one commit into batches, one or more for each resource, if its channel keeps no order and
 * their alerts have no other delivery. Alerts that fire and resolve are left out, because they refer to each other's
 * deliveries.
 */
export class DeliveryPacker {
  readonly #lanes = new Map<string, NewDelivery[]>()

  /**
   * Returns what the statement with these alerts writes: deliveries that cannot be packed, and full batches. The statement with
   * the last alerts of the commit writes the other batches too.
   */
  add({ alerts, deliveries }: Rows, isLast: boolean): Packed {
    const packed: Packed = { unpacked: [], batches: [] }
    const packable = packableAlerts(alerts, deliveries)
    for (const delivery of deliveries) {
      const { alert_id, resource_id, blueprint } = delivery
      if (!packable.has(alert_id) || findDestination(blueprint)?.ordered !== false) packed.unpacked.push(delivery)
      else if (this.#addTo(resource_id, delivery) === batchSizeMax) this.#close(resource_id, packed)
    }
    if (isLast) for (const resourceId of this.#lanes.keys()) this.#close(resourceId, packed)
    return packed
  }

  /** Returns how many deliveries the resource has now. */
  #addTo(resourceId: string, delivery: NewDelivery): number {
    const lane = this.#lanes.get(resourceId)
    if (lane) return lane.push(delivery)
    this.#lanes.set(resourceId, [delivery])
    return 1
  }

  #close(resourceId: string, { unpacked, batches }: Packed): void {
    const [first, ...others] = this.#lanes.get(resourceId) ?? []
    this.#lanes.delete(resourceId)
    if (!first) return
    if (1 + others.length < packedMin) unpacked.push(first)
    else batches.push(batchOf([first, ...others]))
  }
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
