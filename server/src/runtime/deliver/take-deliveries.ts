import { foldedMessage } from '../../engine/message/folded.ts'
import type { PendingDelivery, TakenDelivery, TakeQuery } from '../../store/alerts/deliveries.ts'
import type { Fold } from '../../store/alerts/folded-deliveries.ts'
import type { DeliverDeps } from './lane-deps.ts'

/**
 * Takes deliveries for several lanes, with the content of their alerts. The store writes down which deliveries a lane takes
 * before the lane sends them. Returns a list for each query.
 */
export async function takeDeliveries(
  queries: readonly TakeQuery[],
  ordered: boolean,
  { store, clock, destinationDeps }: Pick<DeliverDeps, 'store' | 'clock' | 'destinationDeps'>,
): Promise<PendingDelivery[][]> {
  const lanes = queries.map(({ resourceId }) => resourceId)
  if (ordered) await store.foldedDeliveries.fold(queries, clock())
  const taken = await store.deliveries.take(queries, { ordered, now: clock() })
  const contents = await store.deliveries.findContents(taken.map(({ id }) => id))
  const folds = ordered ? await store.foldedDeliveries.list(taken.map(({ id }) => id)) : undefined
  const byLane = new Map(lanes.map((resourceId): [string, PendingDelivery[]] => [resourceId, []]))
  for (const delivery of taken) {
    const message = contents.get(delivery.id)
    // Without content the alert, and the delivery with it, was deleted meanwhile.
    if (!message) continue
    const pending = pendingOf(delivery, message)
    const fold = folds?.get(delivery.id)
    byLane.get(delivery.resource_id)?.push(fold ? foldedInto(pending, fold, destinationDeps) : pending)
  }
  return lanes.map((resourceId) => byLane.get(resourceId) ?? [])
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
    content: { ...pending.content, messageJson: JSON.stringify(message) },
  }
}
