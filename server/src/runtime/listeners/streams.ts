import { parsePath, readPath } from '../../engine/base/paths.ts'
import { sameKey } from '../../engine/conditions/index.ts'
import type { RegisteredTrigger } from './live-trigger.ts'
import type { Registry } from './registry.ts'

/** Triggers that listen to a stream and may read it: it belongs to their workspace or is public. */
export function triggersOnStream(registry: Registry, stream: string): RegisteredTrigger[] {
  return [...registry.dependentsOf(stream)].filter((trigger) => mayRead(registry, trigger, stream))
}

function mayRead(registry: Registry, trigger: RegisteredTrigger, stream: string): boolean {
  const feeder = registry.findByName(stream)
  if (feeder) return feeder.isPublic || feeder.workspaceId === trigger.workspaceId
  const [source] = /^(.+)\.events$/.exec(stream)?.slice(1) ?? []
  return source !== undefined && registry.mayListen(trigger, source)
}

/** The trigger whose health changed. */
export type HealthSubject = { id: string; fullname: string; workspaceId: string; isPublic: boolean }

/** Triggers that listen to another trigger's health and may read it. A trigger never gets its own health: that could loop. */
export function triggersOnHealth(registry: Registry, subject: HealthSubject): RegisteredTrigger[] {
  const stream = `${subject.fullname}.events`
  // If a trigger has this name, the stream is that trigger's outputs and not the health.
  if (registry.findByName(stream)) return []
  return [...registry.dependentsOf(stream)].filter(
    ({ id, workspaceId }) => id !== subject.id && (subject.isPublic || subject.workspaceId === workspaceId),
  )
}

/** True if the item has each of the backend's values at the path that names it. */
export function hasValues(item: Record<string, unknown>, values: Record<string, unknown>): boolean {
  return Object.entries(values).every(([path, wanted]) => {
    const actual = readPath(item, parsePath(path))
    return sameKey(actual) !== undefined
      ? sameKey(actual) === sameKey(wanted)
      : JSON.stringify(actual) === JSON.stringify(wanted)
  })
}
