import type { Held, NewAlert, NewDelivery } from '../../store/alert-writes.ts'
import { deliveryId } from '../../store/delivery-id.ts'
import type { Store } from '../../store/index.ts'
import type { DeliverJob } from '../jobs.ts'
import type { Passed } from '../policies/index.ts'

/** Alerts, a delivery for each of their resources, and a wake-up for each resource: two statements, however many. */
export async function record(store: Store, passed: readonly Passed[], held: Held, at: Date): Promise<void> {
  if (passed.length === 0) return
  const alerts: NewAlert[] = []
  const deliveries: NewDelivery[] = []
  for (const one of passed) {
    const own = one.isCollected ? [] : deliveriesOf(one, held, at)
    deliveries.push(...own)
    alerts.push({
      ...one.alert,
      status: one.isCollected ? 'collected' : statusOf(own),
      policy_key: one.policyKey,
      delivery_key: one.deliveryKey,
    })
  }
  await store.alertWrites.add(alerts, deliveries, at)
  const waiting = new Set(deliveries.filter(({ status }) => status === 'pending').map((one) => one.resource_id))
  const jobs = [...waiting].map((resourceId) => ({ data: { resourceId } satisfies DeliverJob }))
  await store.jobs.add('deliver', jobs)
}

/** A resource that is not ready is given up at once, so that it is listed and can be sent again when it is. */
function deliveriesOf({ listener, alert }: Passed, held: Held, at: Date): NewDelivery[] {
  return listener.resources.flatMap(({ id }): NewDelivery[] => {
    const resource = held.resources.get(id)
    if (!resource) return []
    const { fullname, blueprint, ready, remark } = resource
    const base = {
      id: deliveryId(alert.id, id, 'alert'),
      alert_id: alert.id,
      resource_id: id,
      resource: fullname,
      blueprint,
    }
    if (ready) return [{ ...base, status: 'pending', attempts: [] }]
    const error = `The resource is not ready${remark ? `: ${remark}` : ''}`
    return [{ ...base, status: 'dead', attempts: [{ at: at.toISOString(), ok: false, durationMs: 0, error }] }]
  })
}

/** Without a resource there is nothing that could still come. */
function statusOf(deliveries: readonly NewDelivery[]): NewAlert['status'] {
  if (deliveries.some(({ status }) => status === 'pending')) return 'pending'
  return deliveries.length > 0 ? 'failed' : 'delivered'
}
