import type { DeliveryOutcome, Meter } from '../../metrics/index.ts'
import { type Attempted, mayRetry } from './schedule.ts'

/** Counts attempts for the metrics. Requests of the worker thread are counted here too, with the time that it measured. */
export function countAttempts(meter: Meter, attempted: readonly Attempted[], blueprint: string): void {
  for (const each of attempted) {
    meter.delivery(blueprint, outcomeOf(each), each.durationMs)
    if (isFirstArrival(each)) meter.blockToDelivery(arrivedMs(each) - each.delivery.content.item_at.getTime())
  }
}

function outcomeOf({ delivery, outcome, at }: Attempted): DeliveryOutcome {
  if (outcome.kind === 'sent') return 'delivered'
  return outcome.kind === 'later' && mayRetry(delivery, at) ? 'retried' : 'failed'
}

/** A retraction, a repeat and an alert of the past do not tell how fast the service is. */
function isFirstArrival({ delivery, outcome }: Attempted): boolean {
  const { kind, repeat, content } = delivery
  return (
    outcome.kind === 'sent' && kind === 'alert' && repeat === 0 && content.block_number !== null && !content.backfilled
  )
}

function arrivedMs({ at, durationMs }: Attempted): number {
  return at.getTime() + durationMs
}
