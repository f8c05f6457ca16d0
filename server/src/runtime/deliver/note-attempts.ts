import type { DeliveryOutcome } from '../../metrics/index.ts'
import type { Tracing } from '../../tracing/index.ts'
import type { DeliverDeps } from './lane-deps.ts'
import { type Attempted, mayRetry } from './schedule.ts'

type Deps = Pick<DeliverDeps, 'meter' | 'tracing'>

/** Tells metrics and traces of attempts. */
export function noteAttempts({ meter, tracing }: Deps, attempted: readonly Attempted[], blueprint: string): void {
  for (const each of attempted) {
    const outcome = outcomeOf(each)
    meter.delivery(blueprint, outcome, each.durationMs)
    if (isFirstArrival(each)) meter.blockToDelivery(arrivedMs(each) - each.delivery.content.item_at.getTime())
    if (tracing) trace(tracing, each, blueprint, outcome)
  }
}

function trace(tracing: Tracing, attempted: Attempted, blueprint: string, outcome: DeliveryOutcome): void {
  const { delivery, at, outcome: sent } = attempted
  const { id, alert_id: alertId, attempts_count, content } = delivery
  tracing.delivery(
    { source: content.source, blockHash: content.block_hash },
    {
      ...{ id, alertId, attempt: attempts_count + 1, blueprint, outcome, status: sent.status },
      ...(sent.kind !== 'sent' && { error: sent.reason }),
    },
    { startMs: at.getTime(), endMs: arrivedMs(attempted) },
  )
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
