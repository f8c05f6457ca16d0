import { whenWoken } from '../../engine/base/every.ts'
import { changesChannel } from '../../store/core/notifications.ts'
import type { TriggerEventRow } from '../../store/triggers/trigger-events.ts'
import type { Running, RuntimeDeps } from '../deps.ts'
import { addJobs, jobsOf, type QueuedJob } from '../jobs/split.ts'
import type { Listeners } from '../listeners/make-listeners.ts'

/** A change of a trigger's status, as an item of the triggers that listen to `<trigger>.events`. */
export type TriggerEvent = {
  type: 'status'
  trigger: string
  status: string
  previousStatus: string
  issue?: string
  reasonCode?: string
  /** What changed the status: an edit, a test, a run, or a dependency. */
  source?: string
  at: string
}

const readMs = 250
/** How often the events are read while notices of new events arrive and none came. */
const readUnnoticedMs = 15_000
const batchMax = 200

/**
 * Turns status changes into jobs. The transaction that changes a status also stores its event; this loop takes the stored
 * events and adds their jobs in one commit. Every process runs the loop; each event is taken by one of them.
 */
export async function startTriggerEvents(deps: RuntimeDeps): Promise<Running> {
  const { notifications } = deps.store
  let hasFailed = true
  const publish = async () => {
    hasFailed = true
    await publishAll(deps)
    hasFailed = false
  }
  const waitMs = () => (hasFailed || !notifications.isUp ? readMs : readUnnoticedMs)
  const loop = whenWoken(publish, { paceMs: readMs, waitMs }, deps, 'publishing trigger events')
  notifications.listen(changesChannel, (table) => {
    if (table === undefined || table === 'trigger_events') loop.wake()
  })
  return loop
}

async function publishAll(deps: RuntimeDeps): Promise<void> {
  for (let isMore = true; isMore; ) isMore = await publishBatch(deps)
}

/** Returns true if there may be more events. */
async function publishBatch({ store, listeners, crashPoint }: RuntimeDeps): Promise<boolean> {
  const rows = await store.triggerEvents.list(batchMax)
  if (rows.length === 0) return false
  // A subscription whose save was answered before the change must get the event.
  await listeners.refresh()
  await store.tx(async (store) => {
    const taken = await store.triggerEvents.take(rows.map(({ id }) => id))
    const jobs = rows.filter(({ id }) => taken.has(id)).map((row) => triggerEventJobs(listeners, row))
    await addJobs(store, jobs)
    await crashPoint('health.beforeCommit')
  })
  await crashPoint('health.afterCommit')
  return rows.length === batchMax
}

function triggerEventJobs(listeners: Listeners, row: TriggerEventRow): QueuedJob[] {
  const { triggerId: id, fullname, workspaceId, isPublic } = row
  const item = { ...eventOf(row) }
  const nowMs = Date.parse(item.at)
  return listeners
    .listenersOfHealth({ id, fullname, workspaceId, isPublic })
    .filter((dependent) => listeners.acceptsItem(dependent, item))
    .flatMap((dependent) => {
      const keys = listeners.listenersFor(dependent, item)
      if (keys.length === 0 && listeners.listenersOfStream(dependent.fullname).length === 0) return []
      const matches = [{ key: `status:${row.id}`, item, listeners: keys }]
      return jobsOf(
        dependent,
        { source: null, block: null, nowMs, depth: 0, matches },
        { parts: ['status', row.id], order: nowMs },
      )
    })
}

function eventOf({ fullname, before, after, at }: TriggerEventRow): TriggerEvent {
  return {
    type: 'status',
    trigger: fullname,
    status: after.status,
    previousStatus: before.status,
    ...(after.issue && { issue: after.issue }),
    ...(after.reasonCode && { reasonCode: after.reasonCode }),
    ...(after.source && { source: after.source }),
    // A status that is restored has its old time, so the event's own time is used.
    at: after.updatedAt > before.updatedAt ? after.updatedAt : at.toISOString(),
  }
}
