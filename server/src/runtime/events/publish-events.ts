import { whenWoken } from '../../engine/base/every.ts'
import { changesChannel } from '../../store/core/notifications.ts'
import type { Running, RuntimeDeps } from '../deps.ts'
import { addJobs } from '../jobs/split.ts'
import { healthJobs } from './health-events.ts'
import { healthOfTrigger, triggerEventJobs } from './trigger-events.ts'

const readMs = 250
/** How often the events are read while notices of new events arrive and none came. */
const readUnnoticedMs = 15_000
const batchMax = 200

/**
 * Turns changes of triggers, sources and destinations into jobs. The transaction that makes a change also stores its
 * event; this loop takes the stored events and adds their jobs in one commit. Every process runs the loop; each event is
 * taken by one of them.
 */
export async function startPublishingEvents(deps: RuntimeDeps): Promise<Running> {
  const { notifications } = deps.store
  let hasFailed = true
  const publish = async () => {
    hasFailed = true
    await publishAll(deps)
    hasFailed = false
  }
  const waitMs = () => (hasFailed || !notifications.isUp ? readMs : readUnnoticedMs)
  const loop = whenWoken(publish, { paceMs: readMs, waitMs }, deps, 'publishing events')
  notifications.listen(changesChannel, (table) => {
    if (table === undefined || table === 'trigger_events' || table === 'health_events') loop.wake()
  })
  return loop
}

async function publishAll(deps: RuntimeDeps): Promise<void> {
  for (let isMore = true; isMore; ) isMore = await publishBatch(deps)
}

/** Returns true if there may be more events. */
async function publishBatch({ store, listeners, crashPoint }: RuntimeDeps): Promise<boolean> {
  const statuses = await store.triggerEvents.list(batchMax)
  const changes = await store.healthEvents.list(batchMax)
  if (statuses.length === 0 && changes.length === 0) return false
  // A subscription whose save was answered before the change must get the event.
  await listeners.refresh()
  await store.tx(async (store) => {
    const takenStatuses = await store.triggerEvents.take(statuses.map(({ id }) => id))
    const takenChanges = await store.healthEvents.take(changes.map(({ id }) => id))
    const jobs = [
      ...statuses
        .filter(({ id }) => takenStatuses.has(id))
        .flatMap((row) => [triggerEventJobs(listeners, row), healthJobs(listeners, healthOfTrigger(listeners, row))]),
      ...changes
        .filter(({ id }) => takenChanges.has(id))
        .map(({ id, item }) => healthJobs(listeners, { id: `change:${id}`, item })),
    ]
    await addJobs(store, jobs)
    await crashPoint('health.beforeCommit')
  })
  await crashPoint('health.afterCommit')
  return statuses.length === batchMax || changes.length === batchMax
}
