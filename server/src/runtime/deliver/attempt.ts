import {
  type Delivery,
  type Destination,
  deliveryOf,
  describeExchange,
  type Sent,
  type Target,
} from '../../engine/destinations/index.ts'
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
const [busyFrom, busyUntil] = [200, 20]
/** The worker thread that sends queued requests has its own, lower limit of requests in flight to a host. */
const queuedPerHost = 256

/** Sends one delivery. Undefined if it was not sent, so that it can be sent later as if nothing had happened. */
export async function attempt(
  pending: PendingDelivery,
  route: Route,
  deps: DeliverDeps,
): Promise<Attempted | undefined> {
  const delivery = deliveryOf(pending)
  const { send, host, perHost } = choosePath(route, deps)
  const slot = deps.slots.acquire(host, perHost)
  const release = typeof slot === 'function' ? slot : await slot
  const at = deps.clock()
  const startedMs = performance.now()
  let outcome: Sent
  try {
    const { target, destination } = route
    const start = delivery.kind === 'retraction' ? destination.retract : send
    outcome = await start(delivery, target, deps.destinationDeps)
  } catch (error) {
    if (error instanceof NotSent) return undefined
    outcome = outcomeOfBug(error, delivery, route, deps)
  } finally {
    release()
  }
  const durationMs = Math.round(outcome.tookMs ?? performance.now() - startedMs)
  const attempted: Attempted = { delivery: pending, outcome, at, durationMs }
  if (outcome.kind !== 'sent') attempted.exchange = exchangeOf(delivery, outcome, route, deps)
  return attempted
}

/** A bug in one message must not block the lane, so it counts as a failed attempt and is logged. */
function outcomeOfBug(error: unknown, { id: delivery }: Delivery, { target }: Route, { log }: DeliverDeps): Sent {
  log.error({ error: String(error), delivery, resource: target.fullname }, 'sending failed')
  return { kind: 'later', reason: 'The message could not be prepared for its channel.' }
}

/** People look at the request and the answer of attempts that failed. Storing them for all others would double the writes. */
function exchangeOf(
  delivery: Delivery,
  outcome: Sent,
  { target, destination }: Route,
  { destinationDeps, log }: DeliverDeps,
): Attempted['exchange'] {
  try {
    return describeExchange(destination, delivery, target, destinationDeps, outcome.answer)
  } catch (error) {
    // The attempt must be recorded in any case, or the delivery would be sent again and again.
    log.error({ error: String(error), delivery: delivery.id }, 'the request of a failed attempt cannot be shown')
    return undefined
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
