import { every } from '../../engine/base/every.ts'
import type { TriggerEventRow } from '../../store/triggers/trigger-events.ts'
import type { Running, RuntimeDeps } from '../deps.ts'
import { addJobs, jobsOf, type QueuedJob } from '../jobs/index.ts'
import type { Listeners } from '../listeners/index.ts'

/** What happened to a trigger's status, as the triggers that listen to `<trigger>.events` see it. */
export type TriggerEvent = {
  type: 'status'
  trigger: string
  status: string
  previousStatus: string
  issue?: string
  reasonCode?: string
  /** Who changed it: an edit, a test, running, or what it depends on. */
  source?: string
  at: string
}

const lookMs = 250
const stepMax = 200

/**
 * Changes of status are written down with the change itself, whoever makes it; here they become work, in the commit that
 * takes them off the list. Any process may: each change is taken by one.
 */
export async function startTriggerEvents(deps: RuntimeDeps): Promise<Running> {
  return every(lookMs, () => tellAll(deps), deps, 'telling of triggers')
}

async function tellAll(deps: RuntimeDeps): Promise<void> {
  for (let isMore = true; isMore; ) isMore = await tellSome(deps)
}

/** Answers whether there may be more. */
export async function tellSome({ store, listeners, crashPoint }: RuntimeDeps): Promise<boolean> {
  const rows = await store.triggerEvents.list(stepMax)
  if (rows.length === 0) return false
  // Whoever was told that he listens before the change is listened for.
  await listeners.refresh()
  await store.tx(async (store) => {
    const taken = await store.triggerEvents.take(rows.map(({ id }) => id))
    const jobs = rows.filter(({ id }) => taken.has(id)).map((row) => triggerEventJobs(listeners, row))
    await addJobs(store, jobs)
    await crashPoint('health.beforeCommit')
  })
  await crashPoint('health.afterCommit')
  return rows.length === stepMax
}

function triggerEventJobs(listeners: Listeners, row: TriggerEventRow): QueuedJob[] {
  const { triggerId: id, fullname, workspaceId, isPublic } = row
  const item = { ...eventOf(row) }
  const nowMs = Date.parse(item.at)
  return listeners
    .listenersOfHealth({ id, fullname, workspaceId, isPublic })
    .filter((taker) => listeners.acceptsItem(taker, item))
    .flatMap((taker) => {
      const keys = listeners.concernedBy(taker, item)
      if (keys.length === 0 && listeners.listenersOfStream(taker.fullname).length === 0) return []
      const matches = [{ key: `status:${row.id}`, item, listeners: keys }]
      return jobsOf(
        taker,
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
    // A status that comes back after its source did has the time of before.
    at: after.updatedAt > before.updatedAt ? after.updatedAt : at.toISOString(),
  }
}
