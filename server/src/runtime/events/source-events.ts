import type { SourceState } from '../../store/core/tables.ts'
import { jobsOf, type QueuedJob } from '../follow/index.ts'
import type { Listeners, LiveTrigger } from '../listeners/index.ts'

/** What happened to a source, as the triggers that listen to `<source>.events` see it. */
export type SourceEvent = {
  type: 'error' | 'recovered'
  status: SourceState
  previousStatus: SourceState
  severity: 'info' | 'warning' | 'error'
  message: string
  source: string
  at: string
}

/** The event as work for everybody whom it concerns. `id` names it: the same event twice is one. */
export function sourceEventJobs(listeners: Listeners, event: SourceEvent, id: string): QueuedJob[] {
  const nowMs = Date.parse(event.at)
  return takersOf(listeners, event).flatMap(({ trigger, keys }) => {
    const matches = [{ key: id, item: { ...event }, listeners: keys }]
    return jobsOf(trigger, { source: null, block: null, nowMs, matches }, { parts: ['event', id], order: nowMs })
  })
}

/** The triggers that take the event, with the keys of the listeners whom it may concern. */
export function takersOf(listeners: Listeners, event: SourceEvent): { trigger: LiveTrigger; keys: string[] }[] {
  return listeners
    .listenersOfStream(`${event.source}.events`)
    .filter((trigger) => listeners.acceptsItem(trigger, event))
    .map((trigger) => ({ trigger, keys: listeners.concernedBy(trigger, event) }))
    .filter(({ trigger, keys }) => keys.length > 0 || listeners.listenersOfStream(trigger.fullname).length > 0)
}
