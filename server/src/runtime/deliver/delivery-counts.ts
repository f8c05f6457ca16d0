import type { Target } from '../../engine/destinations/index.ts'
import type { Store } from '../../store/index.ts'
import type { TriggerLogEvent } from '../../store/triggers/trigger-logs.ts'
import type { Attempted } from './schedule.ts'

export type DeliveryCounts = {
  add(attempted: readonly Attempted[], target: Target, blueprint: string): void
  flush(): Promise<void>
}
type Counted = { event: TriggerLogEvent; count: number }

/**
 * Counts attempts for the trigger logs in memory and writes the counts once a second. Writing them in each commit would
 * make all lanes wait for the same rows.
 */
export function makeDeliveryCounts(store: Store, clock: () => Date): DeliveryCounts {
  let counted = new Map<string, Counted>()
  /** The log shows the last attempt. */
  const note = (event: TriggerLogEvent): Counted => {
    const key = `${event.triggerId} ${event.kind} ${event.status} ${event.reasonCode} ${event.channel}`
    const known = counted.get(key)
    if (known) return Object.assign(known, { event })
    const added = { event, count: 0 }
    counted.set(key, added)
    return added
  }
  return {
    add(attempted, target, blueprint) {
      const where = { channel: channelOf(blueprint), resource: target.fullname }
      let last: Counted | undefined
      for (const each of attempted) {
        const { trigger_id: triggerId } = each.delivery.content
        if (triggerId === null) continue
        const result = logResultOf(each)
        // Most attempts of a lane are equal: those that arrived, of one trigger.
        const isSame = result === delivered && last?.event.kind === delivered.kind && last.event.triggerId === triggerId
        if (!last || !isSame) last = note({ triggerId, ...where, ...result })
        last.count += 1
      }
    },
    async flush() {
      if (counted.size === 0) return
      const written = [...counted.values()]
      counted = new Map()
      await store.triggerLogs.recordMany(
        written.map(({ event, count }) => ({ ...event, count })),
        clock(),
      )
    },
  }
}

/** `common.delivery.webhook` → `webhook` */
function channelOf(blueprint: string): string {
  return blueprint.slice(blueprint.lastIndexOf('.') + 1)
}

type LogResult = Pick<TriggerLogEvent, 'kind' | 'status' | 'reasonCode' | 'message'>

const delivered: LogResult = { kind: 'delivery', status: 'delivered' }

function logResultOf({ outcome }: Attempted): LogResult {
  if (outcome.kind === 'sent') return delivered
  const isLimit = outcome.kind === 'later' && outcome.status === 429
  const reasonCode = outcome.status === undefined ? `delivery.${outcome.kind}` : `delivery.http_${outcome.status}`
  return { kind: 'delivery_failure', status: isLimit ? 'rate_limited' : 'failed', reasonCode, message: outcome.reason }
}
