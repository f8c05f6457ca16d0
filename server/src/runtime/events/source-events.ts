import type { SourceEvent } from '../../engine/sources/source-event.ts'
import type { Store } from '../../store/index.ts'
import { addJobs, jobsOf, type QueuedJob } from '../jobs/index.ts'
import { type Listeners, type ListenersOptions, type LiveTrigger, loadStream } from '../listeners/index.ts'

/** The event as work for everybody whom it concerns. `id` names it: the same event twice is one. */
export function sourceEventJobs(listeners: Listeners, event: SourceEvent, id: string): QueuedJob[] {
  const nowMs = Date.parse(event.at)
  return takersOf(listeners, event).flatMap(({ trigger, keys }) => {
    const matches = [{ key: id, item: { ...event }, listeners: keys }]
    return jobsOf(
      trigger,
      { source: null, block: null, nowMs, depth: 0, matches },
      { parts: ['event', id], order: nowMs },
    )
  })
}

/** The triggers that take the event, with the keys of the listeners whom it may concern. */
function takersOf(listeners: Listeners, event: SourceEvent): { trigger: LiveTrigger; keys: string[] }[] {
  return listeners
    .listenersOfStream(`${event.source}.events`)
    .filter((trigger) => listeners.acceptsItem(trigger, event))
    .map((trigger) => ({ trigger, keys: listeners.concernedBy(trigger, event) }))
    .filter(({ trigger, keys }) => keys.length > 0 || listeners.listenersOfStream(trigger.fullname).length > 0)
}

/** How many listeners an event reached, and how many resources they have. */
export type Reached = { matched: number; delivered: number }

/** Publishes an event from a process that may run no loops: it reads the listeners of this one stream from the store. */
export function makePublishSourceEvent(options: Pick<ListenersOptions, 'engine' | 'networks'>) {
  return async (store: Store, event: SourceEvent, id: string): Promise<Reached> => {
    const listeners = await loadStream({ ...options, store }, `${event.source}.events`)
    const reached = takersOf(listeners, event).flatMap(({ trigger, keys }) =>
      keys.flatMap((key) => trigger.listeners.get(key) ?? []),
    )
    await store.tx((store) => addJobs(store, [sourceEventJobs(listeners, event, id)]))
    return { matched: reached.length, delivered: reached.reduce((sum, { resources }) => sum + resources.length, 0) }
  }
}
