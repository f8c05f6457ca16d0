import type { Delivery, Destination, Sent, Target } from '../../engine/destinations/index.ts'
import { NotSent } from '../../engine/outbound/door.ts'
import type { PendingDelivery } from '../../store/alerts/deliveries.ts'
import type { DeliverDeps } from './lane-deps.ts'
import type { Attempted } from './schedule.ts'

/** Where a delivery goes and the function that sends it. The requests to one `host` share a limit. */
export type Route = { target: Target; destination: Destination; send: Destination['send']; host?: string }

/** Sends one delivery. Undefined if it was not sent, so that it can be sent later as if nothing had happened. */
export async function attempt(
  pending: PendingDelivery,
  route: Route,
  deps: DeliverDeps,
): Promise<Attempted | undefined> {
  const release = await deps.slots.acquire(route.host)
  const at = deps.clock()
  const startedMs = performance.now()
  try {
    const outcome = await sendOne(deliveryOf(pending), route, deps)
    return { delivery: pending, outcome, at, durationMs: Math.round(outcome.tookMs ?? performance.now() - startedMs) }
  } catch (error) {
    if (error instanceof NotSent) return undefined
    throw error
  } finally {
    release()
  }
}

/** A bug in one message must not block the lane, so it counts as a failed attempt and is logged. */
async function sendOne(delivery: Delivery, { target, destination, send }: Route, deps: DeliverDeps): Promise<Sent> {
  try {
    if (delivery.kind === 'retraction') return await destination.retract(delivery, target, deps.destinationDeps)
    return await send(delivery, target, deps.destinationDeps)
  } catch (error) {
    if (error instanceof NotSent) throw error
    deps.log.error({ error: String(error), delivery: delivery.id, resource: target.fullname }, 'sending failed')
    return { kind: 'later', reason: 'The message could not be prepared for its channel.' }
  }
}

function deliveryOf({ id, alert_id, kind, repeat, content, reference }: PendingDelivery): Delivery {
  const {
    source,
    resolves,
    duration_ms: durationMs,
    block_number: number,
    block_hash: hash,
    subscription_id: subscription,
    reason,
  } = content
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
      severity: content.severity,
      state: content.state,
      ...(resolves !== null && { resolves }),
      ...(durationMs !== null && { durationMs: Number(durationMs) }),
      ...(repeat > 0 && { repeat }),
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
