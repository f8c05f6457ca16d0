import { foldedMessage } from '../../engine/message/folded.ts'
import type { PendingDelivery, TakenDelivery, TakeQuery } from '../../store/alerts/deliveries.ts'
import type { Fold } from '../../store/alerts/folded-deliveries.ts'
import type { DeliverDeps } from './lane-deps.ts'

/**
 * Takes deliveries for several lanes and adds the content of their alerts: from the cache of recent alerts, or else from
 * the store. The store writes down which deliveries a lane takes before the lane sends them. Returns a list for each query.
 */
export async function takeDeliveries(
  queries: readonly TakeQuery[],
  ordered: boolean,
  {
    store,
    recentAlerts,
    clock,
    destinationDeps,
  }: Pick<DeliverDeps, 'store' | 'recentAlerts' | 'clock' | 'destinationDeps'>,
): Promise<PendingDelivery[][]> {
  const lanes = queries.map(({ resourceId }) => resourceId)
  if (ordered) await store.foldedDeliveries.fold(queries, clock())
  const taken = await store.deliveries.take(queries, { ordered, now: clock() })
  const cached = taken.map((delivery) => cachedContent(delivery, recentAlerts))
  const stored = await store.deliveries.findContents(taken.flatMap(({ id }, at) => (cached[at] ? [] : id)))
  const folds = ordered ? await store.foldedDeliveries.list(taken.map(({ id }) => id)) : undefined
  const byLane = new Map(lanes.map((resourceId): [string, PendingDelivery[]] => [resourceId, []]))
  for (const [at, delivery] of taken.entries()) {
    const content = cached[at]
    const message = content ? { content, reference: null } : stored.get(delivery.id)
    // Without content the alert, and the delivery with it, was deleted meanwhile.
    if (!message) continue
    const pending = pendingOf(delivery, message)
    const fold = folds?.get(delivery.id)
    byLane.get(delivery.resource_id)?.push(fold ? foldedInto(pending, fold, destinationDeps) : pending)
  }
  return lanes.map((resourceId) => byLane.get(resourceId) ?? [])
}

/** Only the store knows the reference of a resolved alert, and which other deliveries a repeated one has. */
function cachedContent({ alert_id, kind, repeat }: TakenDelivery, recentAlerts: DeliverDeps['recentAlerts']) {
  const content = kind === 'alert' && repeat === 0 ? recentAlerts?.find(alert_id) : undefined
  return content?.resolves ? undefined : content
}

function pendingOf(
  { id, resource_id, alert_id, kind, attempts, attempts_count, createdMs, dueMs, repeat }: TakenDelivery,
  message: Pick<PendingDelivery, 'content' | 'reference'>,
): PendingDelivery {
  return { id, resource_id, alert_id, kind, attempts, attempts_count, createdMs, dueMs, repeat, ...message }
}

/** The delivery with a message that tells of the others too. */
function foldedInto(
  pending: PendingDelivery,
  { members, firstMs, lastMs, titles }: Fold,
  { alertsUrl }: DeliverDeps['destinationDeps'],
): PendingDelivery {
  const { trigger, workspace, subscription_id } = pending.content
  const url = alertsUrl(workspace, subscription_id ?? '')
  const message = foldedMessage({ trigger, count: 1 + members.length, firstMs, lastMs, titles, url })
  return {
    ...pending,
    folded: members,
    content: { ...pending.content, messageJson: JSON.stringify(message), isOnly: false },
  }
}
