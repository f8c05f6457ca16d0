import {
  type Delivery,
  type Destination,
  deliveryOf,
  describeExchange,
  type Sent,
  type Target,
} from '../../engine/destinations/index.ts'
import type { PendingDelivery } from '../../store/alerts/deliveries.ts'
import type { DeliverDeps } from './lane-deps.ts'
import type { Attempted } from './schedule.ts'

/** Where a delivery goes. The requests to one `host` share a limit. */
export type Route = { target: Target; destination: Destination; host: string }

/** Sends one delivery. */
export async function attempt(pending: PendingDelivery, route: Route, deps: DeliverDeps): Promise<Attempted> {
  const delivery = deliveryOf(pending)
  const slot = deps.slots.acquire(route.host)
  const release = typeof slot === 'function' ? slot : await slot
  const at = deps.clock()
  const startedMs = performance.now()
  let outcome: Sent
  try {
    const { target, destination } = route
    const start = delivery.kind === 'retraction' ? destination.retract : destination.send
    outcome = await start(delivery, target, deps.destinationDeps)
  } catch (error) {
    outcome = outcomeOfBug(error, delivery, route, deps)
  } finally {
    release()
  }
  const durationMs = Math.round(performance.now() - startedMs)
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
