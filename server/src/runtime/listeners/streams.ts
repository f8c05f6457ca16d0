import { parsePath, readPath } from '../../engine/base/paths.ts'
import { sameKey } from '../../engine/conditions/index.ts'
import type { Live } from './live.ts'
import type { Memory } from './memory.ts'

/** Those who listen to a stream and may: their workspace's own, or what everybody may read. */
export function takesFromStream(memory: Memory, stream: string): Live[] {
  return [...memory.stream(stream)].filter((trigger) => mayTake(memory, trigger, stream))
}

function mayTake(memory: Memory, trigger: Live, stream: string): boolean {
  const feeder = memory.named(stream)
  if (feeder) return feeder.isPublic || feeder.workspaceId === trigger.workspaceId
  const [source] = /^(.+)\.events$/.exec(stream)?.slice(1) ?? []
  return source !== undefined && memory.mayListen(trigger, source)
}

/** Whose health it is. */
export type Subject = { id: string; fullname: string; workspaceId: string; isPublic: boolean }

/** Those who listen to a trigger's health and may. A trigger's own health is not among what it hears: it would go round. */
export function takesHealth(memory: Memory, subject: Subject): Live[] {
  const stream = `${subject.fullname}.events`
  // A trigger of that very name comes first: then the stream is its outputs.
  if (memory.named(stream)) return []
  return [...memory.stream(stream)].filter(
    ({ id, workspaceId }) => id !== subject.id && (subject.isPublic || subject.workspaceId === workspaceId),
  )
}

/** Every value of the backend stands in the item at the path of its name. */
export function hasValues(item: Record<string, unknown>, values: Record<string, unknown>): boolean {
  return Object.entries(values).every(([path, wanted]) => {
    const found = readPath(item, parsePath(path))
    return sameKey(found) !== undefined
      ? sameKey(found) === sameKey(wanted)
      : JSON.stringify(found) === JSON.stringify(wanted)
  })
}
