import type { HealthItem } from '@tocsin/contract'
import { jobsOf, type QueuedJob } from '../jobs/split.ts'
import type { LiveTrigger } from '../listeners/live-trigger.ts'
import type { Listeners } from '../listeners/make-listeners.ts'

/** The `id` identifies the item, so a repeated item makes the same jobs. */
export type StreamItem<Item> = { id: string; item: Item }

/** Makes jobs for the triggers that listen to the health of the workspaces that the change concerns. */
export function healthJobs(listeners: Listeners, change: StreamItem<HealthItem> | undefined): QueuedJob[] {
  if (!change) return []
  const { id, item } = change
  return jobsOfItem(listeners, listeners.listenersOfWorkspaceHealth(item), { id: `health:${id}`, item: { ...item } })
}

/** Makes jobs for those of the triggers that accept the item and have listeners. */
export function jobsOfItem(
  listeners: Listeners,
  triggers: readonly LiveTrigger[],
  { id, item }: StreamItem<{ at: string } & Record<string, unknown>>,
): QueuedJob[] {
  const nowMs = Date.parse(item.at)
  return triggers
    .filter((trigger) => listeners.acceptsItem(trigger, item))
    .flatMap((trigger) => {
      const keys = listeners.listenersFor(trigger, item)
      if (keys.length === 0 && listeners.listenersOfStream(trigger.fullname).length === 0) return []
      const matches = [{ key: id, item, listeners: keys }]
      return jobsOf(
        trigger,
        { source: null, block: null, nowMs, depth: 0, matches },
        { parts: ['event', id], order: nowMs },
      )
    })
}
