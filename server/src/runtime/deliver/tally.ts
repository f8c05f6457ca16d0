import type { Target } from '../../engine/destinations/index.ts'
import type { Store } from '../../store/index.ts'
import type { TriggerLogEvent } from '../../store/triggers/trigger-logs.ts'
import type { Tried } from './schedule.ts'

export type Tally = { add(tried: readonly Tried[], target: Target, blueprint: string): void; flush(): Promise<void> }
type Counted = { event: TriggerLogEvent; count: number }

/**
 * What trigger logs tell of deliveries, counted in memory and written once a second: a row that every commit of every
 * lane touches would make them wait for one another.
 */
export function makeTally(store: Store, clock: () => Date): Tally {
  let counted = new Map<string, Counted>()
  return {
    add(tried, target, blueprint) {
      const where = { channel: channelOf(blueprint), resource: target.fullname }
      for (const each of tried) {
        const { trigger_id: triggerId } = each.delivery.content
        if (triggerId === null) continue
        const what = told(each)
        const key = `${triggerId} ${what.kind} ${what.status} ${what.reasonCode} ${where.channel}`
        counted.set(key, { event: { triggerId, ...where, ...what }, count: (counted.get(key)?.count ?? 0) + 1 })
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

function told({ outcome }: Tried): Pick<TriggerLogEvent, 'kind' | 'status' | 'reasonCode' | 'message'> {
  if (outcome.kind === 'sent') return { kind: 'delivery', status: 'delivered' }
  const isLimit = outcome.kind === 'later' && outcome.status === 429
  const reasonCode = outcome.status === undefined ? `delivery.${outcome.kind}` : `delivery.http_${outcome.status}`
  return { kind: 'delivery_failure', status: isLimit ? 'rate_limited' : 'failed', reasonCode, message: outcome.reason }
}
