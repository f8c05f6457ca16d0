import type { ReplayChoice } from '../../store/alerts/deliveries.ts'
import type { Store } from '../../store/index.ts'
import type { DeliverJob } from '../jobs/job.ts'

/** Sends an alert again, under its own id; answers to how many resources. One that was taken back stays so. */
export function replayAlert(store: Store, alertId: string, choice: ReplayChoice, now: Date): Promise<number> {
  return store.tx(async (store) => {
    const retracted = await store.deliveries.lockAlerts([alertId])
    if (retracted.length > 0) return 0
    const resourceIds = await store.deliveries.replay(alertId, choice, now)
    await store.deliveries.settleAlerts([alertId], now)
    const wakeUps = resourceIds.map((resourceId) => ({ data: { resourceId } satisfies DeliverJob }))
    await store.jobs.add('deliver', wakeUps)
    return resourceIds.length
  })
}
