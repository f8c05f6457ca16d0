import type { HealthItem, TriggerStatus } from '@tocsin/contract'
import type { TriggerEventRow } from '../../store/triggers/trigger-events.ts'
import { sourceUnavailable } from '../../store/triggers/trigger-status.ts'
import type { QueuedJob } from '../jobs/split.ts'
import type { Listeners } from '../listeners/make-listeners.ts'
import { jobsOfItem, type StreamItem } from './health-events.ts'

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

export function triggerEventJobs(listeners: Listeners, row: TriggerEventRow): QueuedJob[] {
  const { triggerId: id, fullname, workspaceId, isPublic } = row
  const dependents = listeners.listenersOfHealth({ id, fullname, workspaceId, isPublic })
  return jobsOfItem(listeners, dependents, { id: `status:${row.id}`, item: { ...eventOf(row) } })
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

/** What the workspace's health tells of the change; undefined if the trigger works as well or as badly as before. */
export function healthOfTrigger(listeners: Listeners, row: TriggerEventRow): StreamItem<HealthItem> | undefined {
  const { id, fullname, dataSource, before, after } = row
  const [was, severity] = [severityOf(before), severityOf(after)]
  if (
    was === severity ||
    (dataSource !== null && isOfSource(listeners, dataSource, severity === 'info' ? before : after))
  )
    return undefined
  const message = severity === 'info' ? 'The trigger works again.' : (after.issue ?? `The trigger is ${after.status}.`)
  const { status, previousStatus, at } = eventOf(row)
  return {
    id: `status:${id}`,
    item: { type: 'trigger', name: fullname, status, previousStatus, severity, message, at },
  }
}

/** The warning of a definition is advice to its author, and not an outage. */
function severityOf({ status, source }: TriggerStatus): HealthItem['severity'] {
  if (status === 'broken') return 'critical'
  if (status === 'limited' || status === 'blocked') return 'warning'
  return status === 'warning' && source !== 'edit' ? 'warning' : 'info'
}

/** A source in error breaks all its triggers, and the source itself is told. Nobody tells of one that was deleted. */
function isOfSource(listeners: Listeners, dataSource: string, { reasonCode }: TriggerStatus): boolean {
  return reasonCode === sourceUnavailable && listeners.source(dataSource) !== undefined
}
