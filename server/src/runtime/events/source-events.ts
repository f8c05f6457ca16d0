import type { SourceEvent } from '../../engine/sources/source-event.ts'
import type { Store } from '../../store/index.ts'
import { addJobs, type QueuedJob } from '../jobs/split.ts'
import { type Listeners, type ListenersOptions, loadStream } from '../listeners/make-listeners.ts'
import { jobsOfItem } from './health-events.ts'

/** Makes jobs for the triggers that listen to the event. The `id` identifies it, so a repeated event makes the same jobs. */
export function sourceEventJobs(listeners: Listeners, event: SourceEvent, id: string): QueuedJob[] {
  return jobsOfItem(listeners, listeners.listenersOfStream(streamOf(event)), { id, item: { ...event } })
}

function streamOf({ source }: SourceEvent): string {
  return `${source}.events`
}

/** The number of listeners that an event reached, and of their resources. */
export type Reached = { matched: number; delivered: number }

/** Publishes an event from a process that may run no loops: it reads the listeners of this one stream from the store. */
export function makePublishSourceEvent(options: Pick<ListenersOptions, 'engine' | 'networks'>) {
  return async (store: Store, event: SourceEvent, id: string): Promise<Reached> => {
    const listeners = await loadStream({ ...options, store }, streamOf(event))
    const reached = listeners
      .listenersOfStream(streamOf(event))
      .filter((trigger) => listeners.acceptsItem(trigger, event))
      .flatMap((trigger) => listeners.listenersFor(trigger, event).flatMap((key) => trigger.listeners.get(key) ?? []))
    await store.tx(async (store) => addJobs(store, [sourceEventJobs(listeners, event, id)]))
    return { matched: reached.length, delivered: reached.reduce((sum, { resources }) => sum + resources.length, 0) }
  }
}
