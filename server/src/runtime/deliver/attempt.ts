import type { Delivery, Destination, Sent, Target } from '../../engine/destinations/index.ts'
import { NotSent } from '../../engine/outbound/door.ts'
import type { PendingDelivery } from '../../store/alerts/deliveries.ts'
import type { DeliverDeps } from './lane-deps.ts'
import type { Attempted } from './schedule.ts'

/**
 * Where a delivery goes. The requests to one `host` share a limit. `isRush`: the lane has so many due deliveries that it
 * queues them, with a limit of its own.
 */
export type Route = { target: Target; destination: Destination; host: string; isRush: boolean }
/** How a delivery is sent, and which limit of requests in flight applies. */
type Path = { send: Destination['send']; host?: string; perHost?: number }

/** All lanes queue what they send from the first number of requests on, until there are fewer than the second. */
const [busyFrom, busyUntil] = [1_000, 100]
/** The worker thread that sends queued requests has its own, lower limit of requests in flight to a host. */
const queuedPerHost = 256

/** Sends one delivery. Undefined if it was not sent, so that it can be sent later as if nothing had happened. */
export async function attempt(
  pending: PendingDelivery,
  route: Route,
  deps: DeliverDeps,
): Promise<Attempted | undefined> {
  const { send, host, perHost } = choosePath(route, deps)
  const release = await deps.slots.acquire(host, perHost)
  const at = deps.clock()
  const startedMs = performance.now()
  try {
    const outcome = await sendOne(deliveryOf(pending), route, send, deps)
    return { delivery: pending, outcome, at, durationMs: Math.round(outcome.tookMs ?? performance.now() - startedMs) }
  } catch (error) {
    if (error instanceof NotSent) return undefined
    throw error
  } finally {
    release()
  }
}

/** Sending on the main thread waits for its other work, so many requests are queued for the worker thread instead. */
function choosePath({ destination, host, isRush }: Route, { slots, laneState }: DeliverDeps): Path {
  const { rush } = destination
  if (slots.demand >= busyFrom) laneState.isBusy = true
  else if (slots.demand < busyUntil) laneState.isBusy = false
  if (!rush || !(isRush || laneState.isBusy)) return { send: destination.send, host }
  return isRush ? { send: rush.send } : { send: rush.send, host: `queued ${host}`, perHost: queuedPerHost }
}

/** A bug in one message must not block the lane, so it counts as a failed attempt and is logged. */
async function sendOne(
  delivery: Delivery,
  { target, destination }: Route,
  send: Destination['send'],
  deps: DeliverDeps,
): Promise<Sent> {
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
      backfilled: content.backfilled,
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
