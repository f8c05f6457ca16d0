import { ownTurn } from '../../engine/base/event-loop-turns.ts'
import { firstStatus } from '../../store/alerts/alert-status.ts'
import type { Held, NewAlert, NewDelivery } from '../../store/alerts/alert-writes.ts'
import type { AlertContent } from '../../store/alerts/deliveries.ts'
import { deliveryId } from '../../store/alerts/delivery-id.ts'
import type { Store } from '../../store/index.ts'
import type { Passed } from './policies/index.ts'
import { makeWriting, type Written } from './writing.ts'

/** What was recorded and is to be sent, by the id of the alert. */
export type Recorded = [id: string, content: AlertContent][]

/** So many are written by one statement: while PostgreSQL is at them, others have their turn here. */
const atOnce = 250

/**
 * Alerts, a delivery for each of their resources, and a wake-up for each resource. Answers what is in the store as it
 * stands here: nothing, where some of it had been there before.
 */
export async function record(
  store: Store,
  passed: readonly Passed[],
  held: Held,
  at: Date,
  mayRepeat = true,
): Promise<Recorded> {
  const recorded: Recorded = []
  const waiting = new Set<string>()
  const write = makeWriting()
  const ordered = inOrder(passed)
  let isNew = true
  for (let from = 0; from < ordered.length; from += atOnce) {
    await ownTurn()
    const rows = rowsOf(ordered.slice(from, from + atOnce), held, at, write)
    const added = await store.alertWrites.add(rows.alerts, rows.deliveries, at, mayRepeat)
    isNew &&= added === rows.alerts.length
    for (const one of rows.recorded) recorded.push(one)
    for (const { status, resource_id } of rows.deliveries) if (status === 'pending') waiting.add(resource_id)
  }
  await store.jobs.wakeLanes(waiting)
  return isNew ? recorded : []
}

type Rows = { alerts: NewAlert[]; deliveries: NewDelivery[]; recorded: Recorded }

function rowsOf(passed: readonly Passed[], held: Held, at: Date, write: ReturnType<typeof makeWriting>): Rows {
  const alerts: NewAlert[] = []
  const deliveries: NewDelivery[] = []
  const recorded: Recorded = []
  for (const one of passed) {
    const own = one.isCollected ? [] : deliveriesOf(one, held, at)
    const written = write(one.alert)
    const { message, trace } = written
    const status = firstStatus(
      one.isCollected,
      own.map(({ status }) => status),
    )
    alerts.push({ ...one.alert, message, trace, status, policy_key: one.policyKey, delivery_key: one.deliveryKey })
    for (const delivery of own) deliveries.push(delivery)
    if (status === 'pending') recorded.push([one.alert.id, contentOf(one, written, held, at, own.length === 1)])
  }
  return { alerts, deliveries, recorded }
}

/** What happened first is recorded first: people read alerts in that order, and chunks come in any. */
export function inOrder<T extends Pick<Passed, 'alert'>>(passed: readonly T[]): T[] {
  return passed.toSorted(({ alert: a }, { alert: b }) => {
    if (a.item_at !== b.item_at) return a.item_at < b.item_at ? -1 : 1
    return Number(a.block_number ?? 0) - Number(b.block_number ?? 0)
  })
}

function contentOf({ alert }: Passed, written: Written, held: Held, at: Date, isOnly: boolean): AlertContent {
  return {
    messageJson: written.message,
    rawJson: written.raw,
    humanJson: written.human,
    reason: null,
    subscription_id: alert.subscription_id,
    trigger_id: alert.trigger_id,
    workspace: held.subscriptions.get(alert.subscription_id) ?? '',
    project: alert.project,
    trigger: alert.trigger,
    source: alert.source,
    block_number: alert.block_number,
    block_hash: alert.block_hash,
    alerted_at: at,
    isOnly,
  }
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
