import type { Delivery, Destination, Sent, Target } from '../../engine/destinations/index.ts'
import { NotSent } from '../../engine/outbound/door.ts'
import type { PendingDelivery } from '../../store/alerts/deliveries.ts'
import type { Parts } from './parts.ts'
import type { Tried } from './schedule.ts'

type Way = { target: Target; destination: Destination; send: Destination['send'] }

/** Undefined where it was not sent after all. */
export async function attempt(taken: PendingDelivery, way: Way, parts: Parts): Promise<Tried | undefined> {
  await parts.slots.take()
  const at = parts.clock()
  const startedMs = performance.now()
  try {
    const outcome = await sendOne(deliveryOf(taken), way, parts)
    return { delivery: taken, outcome, at, durationMs: Math.round(outcome.tookMs ?? performance.now() - startedMs) }
  } catch (error) {
    if (error instanceof NotSent) return undefined
    throw error
  } finally {
    parts.slots.give()
  }
}

/** A bug of ours in one message must not hold up the lane: it counts as a failure, and is told. */
async function sendOne(delivery: Delivery, { target, destination, send }: Way, parts: Parts): Promise<Sent> {
  try {
    if (delivery.kind === 'retraction') return await destination.retract(delivery, target, parts.world)
    return await send(delivery, target, parts.world)
  } catch (error) {
    if (error instanceof NotSent) throw error
    parts.log.error({ error: String(error), delivery: delivery.id, resource: target.fullname }, 'sending failed')
    return { kind: 'later', reason: 'The message could not be made ready for its channel.' }
  }
}

function deliveryOf({ id, alert_id, kind, content, reference }: PendingDelivery): Delivery {
  const { source, block_number: number, block_hash: hash, subscription_id: subscription, reason } = content
  return {
    id,
    kind,
    messageJson: content.messageJson,
    context: {
      alertId: alert_id,
      ...(subscription !== null && { subscription }),
      workspace: content.workspace,
      project: content.project,
      trigger: content.trigger,
      rawJson: content.rawJson,
      humanJson: content.humanJson,
      ...(source !== null && { source }),
      ...(number !== null && hash !== null && { block: { number: Number(number), hash } }),
      createdAt: content.alerted_at,
    },
    ...(reason !== null && { reason }),
    ...(reference !== null && { reference }),
  }
}
