import { sameKey } from '../conditions/index.ts'
import { parsePath, readPath } from '../paths.ts'
import type { Live } from './live.ts'
import { type Memory, triggerOfStream } from './memory.ts'

/** Those who listen to a stream and may: their workspace's own, or what everybody may read. */
export function takesFromStream(memory: Memory, stream: string): Live[] {
  const listening = new Set([
    ...memory.stream(stream),
    ...otherNames(stream).flatMap((name) => [...memory.stream(name)]),
  ])
  return [...listening].filter((trigger) => mayTake(memory, trigger, stream))
}

/** A trigger's outputs have two names; the events of a source have one. */
function otherNames(stream: string): string[] {
  return stream.endsWith('.events') ? [triggerOfStream(stream)] : [`${stream}.events`]
}

function mayTake(memory: Memory, { workspaceId, feed }: Live, stream: string): boolean {
  const feeder = memory.named(triggerOfStream(stream))
  if (feeder) return feeder.isPublic || feeder.workspaceId === workspaceId
  const source = memory.sources.get(triggerOfStream(stream))
  const isOfSource = feed.kind === 'stream' && feed.stream.endsWith('.events')
  return isOfSource && source !== undefined && (source.workspaceId === null || source.workspaceId === workspaceId)
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
