import type { NewJob } from '../../store/jobs.ts'
import { isObject } from '../is-object.ts'
import type { EvaluateJob, Match } from '../jobs.ts'
import type { LiveTrigger } from '../listeners/listener.ts'
import type { RuntimeWorld } from '../runtime/world.ts'
import { storable } from '../../store/storable.ts'
import type { SourceItem } from '../world.ts'
import { jobId } from './ids.ts'

/** An output that is an item to the triggers that listen to the one that made it. */
export type StreamOutput = { match: Match; raw: unknown; index: number }

/** A ring of triggers ends after so many. */
export const depthMax = 8

type Queued = { queue: 'evaluate' | 'evaluate-ordered'; job: NewJob }
type World = Pick<RuntimeWorld, 'listeners'>

/** One chunk of work for each trigger that listens: the outputs in their order, under the block that they came from. */
export function streamJobs(
  world: World,
  job: EvaluateJob,
  trigger: LiveTrigger,
  outputs: readonly StreamOutput[],
): Queued[] {
  return world.listeners.listenersOfStream(trigger.fullname).flatMap((dependent): Queued[] => {
    const matches = outputs.flatMap((output) => matchOf(world, trigger, dependent, output))
    const [first] = matches
    if (!first) return []
    const data: EvaluateJob = { ...job, triggerId: dependent.id, matches, depth: job.depth + 1, attempt: 0 }
    const id = jobId('stream', dependent.id, first.key, matches.length, job.attempt ?? 0)
    const group = dependent.id
    if (dependent.isOrdered) return [{ queue: 'evaluate-ordered', job: { id, data, key: dependent.id, group } }]
    return [{ queue: 'evaluate', job: { id, data, group } }]
  })
}

/** Nothing where the item has not the values that the backend asks for, or concerns nobody. */
function matchOf(world: World, trigger: LiveTrigger, dependent: LiveTrigger, { match, raw, index }: StreamOutput): Match[] {
  const item = itemOf(raw)
  if (!world.listeners.acceptsItem(dependent, item)) return []
  const listeners = world.listeners.concernedBy(dependent, item)
  if (listeners.length === 0 && world.listeners.listenersOfStream(dependent.fullname).length === 0) return []
  return [{ key: `${match.key}>${trigger.id}:${index}`, item, listeners }]
}

function itemOf(raw: unknown): SourceItem {
  const value = storable(raw)
  return isObject(value) ? value : { value }
}
