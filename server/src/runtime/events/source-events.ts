import type { SourceEvent } from '../../engine/sources/source-event.ts'
import type { Store } from '../../store/index.ts'
import { addJobs, jobsOf, type QueuedJob } from '../jobs/split.ts'
import type { LiveTrigger } from '../listeners/live-trigger.ts'
import { type Listeners, type ListenersOptions, loadStream } from '../listeners/make-listeners.ts'

/** Makes jobs for the triggers that listen to the event. The `id` identifies it, so a repeated event makes the same jobs. */
export function sourceEventJobs(listeners: Listeners, event: SourceEvent, id: string): QueuedJob[] {
  const nowMs = Date.parse(event.at)
  return triggersOn(listeners, event).flatMap(({ trigger, keys }) => {
    const matches = [{ key: id, item: { ...event }, listeners: keys }]
    return jobsOf(
      trigger,
      { source: null, block: null, nowMs, depth: 0, matches },
      { parts: ['event', id], order: nowMs },
    )
  })
}

/** The triggers that accept the event, with the keys of the listeners that it may concern. */
function triggersOn(listeners: Listeners, event: SourceEvent): { trigger: LiveTrigger; keys: string[] }[] {
  return listeners
    .listenersOfStream(`${event.source}.events`)
    .filter((trigger) => listeners.acceptsItem(trigger, event))
    .map((trigger) => ({ trigger, keys: listeners.listenersFor(trigger, event) }))
    .filter(({ trigger, keys }) => keys.length > 0 || listeners.listenersOfStream(trigger.fullname).length > 0)
}

/** The number of listeners that an event reached, and of their resources. */
export type Reached = { matched: number; delivered: number }

/** Publishes an event from a process that may run no loops: it reads the listeners of this one stream from the store. */
export function makePublishSourceEvent(options: Pick<ListenersOptions, 'engine' | 'networks'>) {
  return async (store: Store, event: SourceEvent, id: string): Promise<Reached> => {
    const listeners = await loadStream({ ...options, store }, `${event.source}.events`)
    const reached = triggersOn(listeners, event).flatMap(({ trigger, keys }) =>
      keys.flatMap((key) => trigger.listeners.get(key) ?? []),
    )
    await store.tx((store) => addJobs(store, [sourceEventJobs(listeners, event, id)]))
    return { matched: reached.length, delivered: reached.reduce((sum, { resources }) => sum + resources.length, 0) }
  }
}
